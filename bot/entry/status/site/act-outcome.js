import { isolate } from './language.js'

/** What came of what was asked of a node, in words and their tone. `asked`: as the store has it. */
export function outcomeOf(asked, speech) {
  if (asked === undefined) return { tone: 'calm', words: '' }
  const { act, answer } = asked
  if (answer === null) return { tone: 'calm', words: speech.say(`act.${act}.doing`) }
  if (!answer.ok) return { tone: 'bad', words: refusedWords(answer.code, speech) }
  const { words, isBad } = doneWords(act, answer.result, speech)
  return { tone: isBad ? 'bad' : 'good', words }
}

function doneWords(act, result, speech) {
  const { say } = speech
  if (act === 'drain') return { words: say('act.drain.done', { moved: result.moved ?? 0 }) }
  if (act !== 'test') return { words: say(`act.${act}.done`) }
  if (result.spoke !== true) return { words: result.reason ? say('act.test.mute', { why: speech.fault(result.reason) }) : say('act.test.muteNoReason'), isBad: true }
  const seconds = speech.seconds(result.tookMs ?? 0)
  if (result.inLog === false) return { words: say('act.test.notInLog', { seconds }), isBad: true }
  return { words: say(result.inLog === true ? 'act.test.inLog' : 'act.test.well', { seconds }) }
}

const refusedWords = (code, { has, say }) => (has(`act.refused.${code}`) && code !== 'other' ? say(`act.refused.${code}`) : say('act.refused.other', { code: isolate(code) }))
