import type { z } from 'zod'

/** An answer of Discord that is an error: its HTTP status and its JSON code. */
export class ApiError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413
  readonly code: number
  readonly errors: object | undefined

  constructor(status: ApiError['status'], code: number, message: string, errors?: object) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
  }

  get body() {
    return { message: this.message, code: this.code, ...(this.errors && { errors: this.errors }) }
  }
}

export const unknown = {
  channel: () => new ApiError(404, 10003, 'Unknown Channel'),
  guild: () => new ApiError(404, 10004, 'Unknown Guild'),
  member: () => new ApiError(404, 10007, 'Unknown Member'),
  message: () => new ApiError(404, 10008, 'Unknown Message'),
  user: () => new ApiError(404, 10013, 'Unknown User'),
  webhook: () => new ApiError(404, 10015, 'Unknown Webhook'),
  application: () => new ApiError(404, 10002, 'Unknown Application'),
  interaction: () => new ApiError(404, 10062, 'Unknown interaction'),
  command: () => new ApiError(404, 10063, 'Unknown application command'),
  voiceState: () => new ApiError(404, 10065, 'Unknown Voice State')
}

export const refused = {
  unauthorized: () => new ApiError(401, 0, '401: Unauthorized'),
  tooLarge: () => new ApiError(413, 40005, 'Request entity too large'),
  acknowledged: () => new ApiError(400, 40060, 'Interaction has already been acknowledged.'),
  access: () => new ApiError(403, 50001, 'Missing Access'),
  othersMessage: () => new ApiError(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new ApiError(400, 50006, 'Cannot send an empty message'),
  cannotSendToUser: () => new ApiError(400, 50007, 'Cannot send messages to this user'),
  permissions: () => new ApiError(403, 50013, 'Missing Permissions'),
  webhookToken: () => new ApiError(401, 50027, 'Invalid Webhook Token'),
  voiceExtraContent: () => new ApiError(400, 50159, 'Voice messages do not support additional content.'),
  voiceOneAttachment: () => new ApiError(400, 50160, 'Voice messages must have a single audio attachment.'),
  voiceMetadata: () => new ApiError(400, 50161, 'Voice messages must have supporting metadata.'),
  voiceEdit: () => new ApiError(400, 50162, 'Voice messages cannot be edited.'),
  voiceHere: () => new ApiError(403, 50173, 'You cannot send voice messages in this channel.'),
  json: () => new ApiError(400, 50109, 'The request body contains invalid JSON.')
}

/** `Invalid Form Body` with one error at a path, in Discord's nested shape. */
export function invalidForm(path: readonly PropertyKey[], code: string, message: string): ApiError {
  return new ApiError(400, 50035, 'Invalid Form Body', nest([{ path, code, message }]))
}

interface Fault {
  path: readonly PropertyKey[]
  code: string
  message: string
}

function nest(faults: readonly Fault[]): object {
  const root: Record<string, unknown> = {}
  for (const { path, code, message } of faults) {
    let level = root
    for (const key of path.map(String)) level = (level[key] ??= {}) as Record<string, unknown>
    const list = (level['_errors'] ??= []) as unknown[]
    list.push({ code, message })
  }
  return root
}

/** A zod error in Discord's words and nested shape. A fault of our own kind comes with its Discord code in `params`. */
export function fromZod(error: z.ZodError): ApiError {
  return new ApiError(400, 50035, 'Invalid Form Body', nest(error.issues.flatMap((issue) => faultsOf(issue, []))))
}

/** Of a union, the faults of the alternative that came nearest: of the right `type`, then with the fewest. */
function faultsOf(issue: z.core.$ZodIssue, parent: readonly PropertyKey[]): Fault[] {
  const path = [...parent, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const distance = (faults: readonly z.core.$ZodIssue[]) => faults.length + (faults.some((fault) => fault.path[0] === 'type') ? 1000 : 0)
    const [nearest = []] = issue.errors.toSorted((a, b) => distance(a) - distance(b))
    return nearest.flatMap((inner) => faultsOf(inner, path))
  }
  return [{ ...faultOf(issue), path }]
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  const fault = (code: string, message: string): Fault => ({ path: issue.path, code, message })
  switch (issue.code) {
    case 'custom':
      return fault(String(issue.params?.['discord'] ?? 'BASE_TYPE_INVALID'), issue.message)
    case 'too_big':
      if (issue.origin === 'string') return fault('BASE_TYPE_MAX_LENGTH', `Must be ${issue.maximum} or fewer in length.`)
      if (issue.origin === 'array') return fault('BASE_TYPE_BAD_LENGTH', `Must be ${issue.maximum} or fewer in length.`)
      return fault('NUMBER_TYPE_MAX', `int value should be less than or equal to ${issue.maximum}.`)
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return fault('BASE_TYPE_REQUIRED', 'This field is required')
      if (issue.origin === 'string' || issue.origin === 'array') return fault('BASE_TYPE_BAD_LENGTH', `Must be ${issue.minimum} or more in length.`)
      return fault('NUMBER_TYPE_MIN', `int value should be greater than or equal to ${issue.minimum}.`)
    case 'invalid_format':
      return fault('STRING_TYPE_REGEX', 'String value did not match validation regex.')
    case 'invalid_value':
      return fault('BASE_TYPE_CHOICES', `Value must be one of {${issue.values.map(String).join(', ')}}.`)
    case 'invalid_type':
      return issue.message.includes('received undefined')
        ? fault('BASE_TYPE_REQUIRED', 'This field is required')
        : fault(`${issue.expected.toUpperCase()}_TYPE_CONVERT`, `Could not interpret value as ${issue.expected}.`)
    default:
      return fault('BASE_TYPE_INVALID', issue.message)
  }
}
