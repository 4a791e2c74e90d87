import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const DAY_MS = 86_400_000

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  if (body.length > 0xffff) throw new RangeError('a certificate part above 64 KiB')
  return Buffer.concat([Buffer.from([tag, 0x82, body.length >> 8, body.length & 0xff]), body])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const set = (...parts: Uint8Array[]) => der(0x31, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const octets = (part: Uint8Array) => der(0x04, part)
const bits = (part: Uint8Array) => der(0x03, Buffer.from([0]), part)
const generalizedTime = (ms: number) => der(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')))
const extension = (id: string, critical: boolean, value: Uint8Array) =>
  sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = '550403'
const SUBJECT_KEY_IDENTIFIER = '551d0e'
const KEY_USAGE = '551d0f'
const SUBJECT_ALT_NAME = '551d11'
const BASIC_CONSTRAINTS = '551d13'
const EXTENDED_KEY_USAGE = '551d25'
const SERVER_AUTH = '2b06010505070301'

/**
 * A self-signed certificate (P-256, X.509 v3, RFC 5280) for `127.0.0.1` and `localhost`, valid from a day ago for a year.
 * It is its own authority, so that a client trusts exactly this server. Encoded by hand: Node can sign but not issue,
 * and the packages that can are larger than this whole server.
 */
export function makeCertificate(nowMs = Date.now()): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const altNames = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  // A serial number is a positive integer: the top bit stays clear, and the first byte is not zero.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)])
  // OpenSSL looks a trusted certificate up by its name: two servers in one process need two names.
  const name = sequence(set(sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(`Voxpool rehearsal ${serial.toString('hex')}`)))))

  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(generalizedTime(nowMs - DAY_MS), generalizedTime(nowMs + 365 * DAY_MS)),
    name,
    publicKeyInfo,
    der(0xa3, sequence(
      extension(BASIC_CONSTRAINTS, true, sequence(der(0x01, Buffer.from([0xff])))),
      extension(KEY_USAGE, true, der(0x03, Buffer.from([2, 0x84]))),
      extension(EXTENDED_KEY_USAGE, false, sequence(oid(SERVER_AUTH))),
      extension(SUBJECT_KEY_IDENTIFIER, false, octets(createHash('sha1').update(publicKeyInfo).digest())),
      extension(SUBJECT_ALT_NAME, false, altNames)
    ))
  )
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  }
}
