import * as z from 'zod/mini'

/**
 * The fields that both contracts share. `zod/mini`, because the Apps Script bundle carries this file too.
 * Bounds stand here once: every string, number and list that crosses a wire is bounded.
 * Patterns keep to what JavaScript and Python read alike (no `\p{...}`): the node checks against the same JSON Schema.
 */

/** Control characters, and those that print as nothing or turn the direction of what follows. */
const INVISIBLE = String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff`
const idPattern = (length: number) => new RegExp(`^[^\\s${INVISIBLE}]{1,${String(length)}}$`, 'u')

/** A name without white space or control characters, 1 to 64 characters. `007`, `1e5` and 18 digits are ids too, and stay text. */
export const ServerId = z.string().check(z.regex(idPattern(64), 'expected 1 to 64 characters without spaces'))

/** Opaque to everybody but the one who made it: 1 to 128 characters without white space. Never a raw Discord id. */
export const DeviceId = z.string().check(z.regex(idPattern(128), 'expected 1 to 128 characters without spaces'))

/** One start of one node: of two instances with the same `serverId`, the one registered later is the newer. */
export const InstanceId = z.string().check(z.regex(idPattern(64)))

/**
 * Where a node lives: `https` anywhere, plain `http` only on loopback; no credentials, query or fragment; at most 512 characters.
 * A pattern, because Apps Script has no `URL` and `z.url()` accepts everything there without a word.
 */
export const ApiUrl = z.string().check(
  z.maxLength(512),
  z.regex(
    /^(?:https:\/\/[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/,
    'expected an https address (http only on loopback) without credentials, query or fragment'
  )
)

/** A CSS colour of the form `#rrggbb`, or a plain colour word: what the operator sees beside the node's name. */
export const Color = z.string().check(z.regex(/^(?:#[0-9a-fA-F]{6}|[A-Za-z]{1,32}|)$/, 'expected #rrggbb or a colour name'))

/** What people call the node: at most 80 characters, no control characters. It may start with `=`: the sheet must not run it. */
export const Label = z.string().check(z.regex(new RegExp(`^[^${INVISIBLE}]{0,80}$`, 'u'), 'expected at most 80 characters'))

export const CAPACITY_MAX = 100_000
/** Members that a node should hold. */
export const Capacity = z.int().check(z.gte(1), z.lte(CAPACITY_MAX))

export const CONCURRENCY_MAX = 64
/** Syntheses that a node runs at once, usually 1 per GPU. */
export const Concurrency = z.int().check(z.gte(1), z.lte(CONCURRENCY_MAX))

/** Milliseconds since 1970 by the clock of whoever answers; ages are computed against the same answer's `now`. */
export const TimeMs = z.int().check(z.gte(0))

/** How many there are, or were. */
export const Count = z.int().check(z.gte(0))

/** The registry's shared secret, or a node's bearer token: at most 256 characters. */
export const Key = z.string().check(z.maxLength(256))

/** An id of one request, as both ends log it: what is harmless in a header, a path and a log line. */
export const RequestId = z.string().check(z.regex(/^[A-Za-z0-9._:-]{1,128}$/))

/** An id of a voice, as a node lists it. */
export const VoiceId = z.string().check(z.regex(idPattern(128)))

/** A voice's licence, or its line of credit: at most 200 characters, no control characters. */
export const Terms = z.string().check(z.regex(new RegExp(`^[^${INVISIBLE}]{0,200}$`, 'u'), 'expected at most 200 characters of plain text'))

/** A path that a node serves beside speech: `/v1/chat/completions`, or with all below it, `/v1/images/*`. At most 128 characters, no dot segments. */
export const ServedPath = z.string().check(
  z.maxLength(128),
  z.regex(/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/(?:\*|(?!\.{1,2}$)[A-Za-z0-9._~-]+)$/, 'expected a path such as /v1/chat/completions or /v1/images/*')
)

/** Paths that one node may serve beside speech. */
export const PATHS_MAX = 50
