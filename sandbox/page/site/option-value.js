/** Discord's types of options. */
export const TYPE = { string: 3, integer: 4, boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, attachment: 11 }

/**
 * What a person wrote for an option, as the value to send: `{value}`, or `{problem}` with a line for people.
 * `places` has the members, channels and roles of the guild, for what is chosen by name.
 */
export function optionValue(option, text, places) {
  if (option.choices?.length) return choiceValue(option, text)
  switch (option.type) {
    case TYPE.string:
      return stringValue(option, text)
    case TYPE.integer:
    case TYPE.number:
      return numberValue(option, text)
    case TYPE.boolean:
      return booleanValue(text)
    case TYPE.user:
      return named(text, places.members, '@', 'member')
    case TYPE.channel:
      return named(text, allowedChannels(option, places.channels), '#', 'channel')
    case TYPE.role:
      return named(text, places.roles, '@', 'role')
    case TYPE.mentionable:
      return named(text, [...places.members, ...places.roles], '@', 'member or role')
    default:
      // The id of a file that was uploaded when it was chosen.
      return /^\d{1,20}$/.test(text) ? { value: text } : { problem: 'Choose a file.' }
  }
}

export const allowedChannels = (option, channels) => channels.filter(({ type }) => !option.channel_types?.length || option.channel_types.includes(type))

function choiceValue({ choices }, text) {
  const wanted = text.trim().toLowerCase()
  const found = choices.find(({ name, value }) => String(value).toLowerCase() === wanted || name.toLowerCase() === wanted)
  return found ? { value: found.value } : { problem: `Choose one of: ${choices.map(({ name }) => name).join(', ')}.` }
}

function stringValue({ min_length: min = 0, max_length: max = 6000 }, text) {
  if (text.length < min) return { problem: `At least ${min} characters.` }
  if (text.length > max) return { problem: `At most ${max} characters; this has ${text.length}.` }
  return { value: text }
}

function numberValue({ type, min_value: min = -Infinity, max_value: max = Infinity }, text) {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return { problem: 'This must be a number.' }
  if (type === TYPE.integer && !Number.isSafeInteger(value)) return { problem: 'This must be a whole number.' }
  if (value < min) return { problem: `At least ${min}.` }
  if (value > max) return { problem: `At most ${max}.` }
  return { value }
}

function booleanValue(text) {
  const word = text.trim().toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(word)) return { value: true }
  if (['false', 'no', 'off', '0'].includes(word)) return { value: false }
  return { problem: 'Choose true or false.' }
}

function named(text, list, sign, what) {
  const wanted = text.trim().replace(/^<[@#][!&]?(\d+)>$/, '$1')
  const bare = wanted.startsWith(sign) ? wanted.slice(1) : wanted
  const found = list.find(({ id }) => id === wanted) ?? list.find(({ name }) => name.toLowerCase() === bare.toLowerCase())
  return found ? { value: found.id } : { problem: `No ${what} of that name here.` }
}
