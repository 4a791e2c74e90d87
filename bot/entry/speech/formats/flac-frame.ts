import { createBitWriter } from './bits.ts'
import type { BitWriter } from './bits.ts'

/** Samples of every frame but the last. */
export const BLOCK = 4_096

/** RFC 9639's numbers for what a frame is like: 4,096 samples or a count that follows, 24 kHz, mono, 16 bit. */
const SYNC_FIXED_BLOCKS = 0xfff8
const SIZE_4096 = 0b1100
const SIZE_FOLLOWS = 0b0111
const RATE_24_KHZ = 0b0111
const MONO = 0b0000
const BITS_16 = 0b100

const SAMPLE_BITS = 16
const ORDER_MAX = 4
const RICE_MAX = 14

/** Partitions of a whole block's residual, as a power of two: each has its own Rice parameter. */
const PARTITION_ORDER = 4

/** One frame of FLAC (RFC 9639), mono, 16 bit: the best of the five fixed predictors, and what it misses in Rice codes. Nothing is lost. */
export function flacFrame(samples: Int16Array, frameNumber: number): Uint8Array {
  const writer = createBitWriter()
  const isWhole = samples.length === BLOCK
  writer.write(SYNC_FIXED_BLOCKS, 16)
  writer.write(isWhole ? SIZE_4096 : SIZE_FOLLOWS, 4)
  writer.write(RATE_24_KHZ, 4)
  writer.write(MONO, 4)
  writer.write(BITS_16, 3)
  writer.write(0, 1)
  writeNumber(writer, frameNumber)
  if (!isWhole) writer.write(samples.length - 1, 16)
  writer.write(crc(writer.bytes(), 8, 0x07), 8)
  writeSubframe(writer, samples)
  writer.align()
  writer.write(crc(writer.bytes(), 16, 0x8005), 16)
  return writer.bytes().slice()
}

/** A number as UTF-8 has code points, and beyond: up to 31 bits. */
function writeNumber(writer: BitWriter, value: number) {
  if (value < 0x80) {
    writer.write(value, 8)
    return
  }
  const rest = [11, 16, 21, 26, 31].findIndex((bits) => value < 2 ** bits) + 1
  writer.write(((0xff00 >> (rest + 1)) & 0xff) | (value >>> (6 * rest)), 8)
  for (let left = rest - 1; left >= 0; left--) writer.write(0x80 | ((value >>> (6 * left)) & 0x3f), 8)
}

function writeSubframe(writer: BitWriter, samples: Int16Array) {
  const { order, residual } = bestPrediction(samples)
  writer.write(0b001000 | order, 7)
  writer.write(0, 1)
  for (const sample of samples.subarray(0, order)) writer.write(sample, SAMPLE_BITS)
  const partitionOrder = samples.length === BLOCK ? PARTITION_ORDER : 0
  writer.write(0, 2)
  writer.write(partitionOrder, 4)
  const size = samples.length >> partitionOrder
  // The first partition is shorter by the samples that stand there as they are.
  for (let start = 0; start < samples.length; start += size) writePartition(writer, residual.subarray(Math.max(0, start - order), start + size - order))
}

function writePartition(writer: BitWriter, residual: Int32Array) {
  let sum = 0
  for (const value of residual) sum += folded(value)
  const mean = residual.length === 0 ? 0 : sum / residual.length
  const parameter = Math.min(RICE_MAX, Math.max(0, Math.ceil(Math.log2(mean * Math.LN2))))
  writer.write(parameter, 4)
  for (const value of residual) {
    const code = folded(value)
    writer.writeUnary(code >>> parameter)
    writer.write(code, parameter)
  }
}

/** 0, -1, 1, -2, 2, ... as 0, 1, 2, 3, 4, ... */
const folded = (value: number) => (value >= 0 ? value * 2 : -value * 2 - 1)

/** The order, 0 to 4, whose differences of differences are the smallest, and those. */
function bestPrediction(samples: Int16Array): { order: number; residual: Int32Array } {
  let residual = Int32Array.from(samples)
  let best = { order: 0, residual, cost: costOf(residual) }
  for (let order = 1; order <= Math.min(ORDER_MAX, samples.length - 1); order++) {
    const before = residual
    residual = Int32Array.from({ length: before.length - 1 }, (_, index) => (before[index + 1] ?? 0) - (before[index] ?? 0))
    const cost = costOf(residual)
    if (cost < best.cost) best = { order, residual, cost }
  }
  return best
}

function costOf(residual: Int32Array): number {
  return residual.reduce((sum, value) => sum + Math.abs(value), 0)
}

function crc(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1)
  const mask = (1 << width) - 1
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (width - 8)
    for (let bit = 0; bit < 8; bit++) value = ((value & top) !== 0 ? (value << 1) ^ polynomial : value << 1) & mask
  }
  return value
}
