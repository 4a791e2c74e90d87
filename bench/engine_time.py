"""An engine without a node, for `bench/node.ts`: a text a line in, and how long it and its Opus file took out."""

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "colab"))

from voxnode.effects.master import mastered
from voxnode.encode import encode
from voxnode.engines import engine_makers
from voxnode.engines.engine import Line

# What libraries print must not stand between the answers.
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
engine = engine_makers(sys.argv[1])[sys.argv[1]]()
voice = engine.voices()[0]
for text in sys.stdin:
    started = time.perf_counter()
    samples = engine.speak(Line(text.strip(), voice), lambda: False)
    spoken = time.perf_counter()
    encode(mastered(samples), "opus")
    encoded = time.perf_counter()
    answers.write(json.dumps({"engineMs": (spoken - started) * 1000, "opusMs": (encoded - spoken) * 1000}) + "\n")
