"""Speak as anybody's program does with the official client: in every format, in a stream, with errors. Prints JSON."""

import json
import os

import openai

client = openai.OpenAI(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"], max_retries=0)
text = os.environ["TEXT"]
told: dict[str, object] = {}

for response_format in ("opus", "wav", "mp3", "flac", "pcm"):
    speech = client.audio.speech.create(model="tts-1", voice="nova", input=text, response_format=response_format)
    told[response_format] = len(speech.content)

streaming = client.audio.speech.with_streaming_response.create(
    model="tts-1", voice="nova", input=text, response_format="wav", stream_format="audio"
)
with streaming as response:
    told["streamed"] = sum(len(chunk) for chunk in response.iter_bytes())

told["models"] = [model.id for model in client.models.list()]

try:
    client.audio.speech.create(model="tts-1", voice="nova", input=text, response_format="aac")
except openai.BadRequestError as error:
    told["error"] = [error.code, error.param, error.request_id]

try:
    client.with_options(api_key="vox-wrong").models.list()
except openai.AuthenticationError as error:
    told["unauthorized"] = error.code

print(json.dumps(told))
