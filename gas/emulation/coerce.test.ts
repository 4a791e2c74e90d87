import { describe, expect, it } from 'vitest'
import { coerce } from './coerce.ts'

describe('a cell of no format', () => {
  it.each([
    ['007', 7],
    ['1e5', 100_000],
    ['123456789012345678', 123_456_789_012_346_000],
    ['1,234.5', 1234.5],
    ['50%', 0.5],
    ['true', true],
    ["'007", '007'],
    ['', ''],
    ['node-1', 'node-1'],
    ['.', '.']
  ])('makes %j of %j', (text, value) => {
    expect(coerce(text, 'General')).toEqual({ value, isFormula: false })
  })
  it.each(['2026-11-29', '1/2', '12:30', 'Mar 1'])('makes a date of %j', (text) => {
    expect(coerce(text, 'General').value).toBeInstanceOf(Date)
  })
  it.each(['=1+1', '+A1', '-A1'])('runs %j', (text) => {
    expect(coerce(text, 'General')).toEqual({ value: '#NAME?', isFormula: true })
  })
})

describe('a cell of the format @', () => {
  it.each(['007', '1e5', '123456789012345678', 'TRUE', '1/2', '50%', '-5'])('keeps %j', (text) => {
    expect(coerce(text, '@')).toEqual({ value: text, isFormula: false })
  })
  it('is taken at its worst where reports differ', () => {
    expect(coerce('=1+1', '@').isFormula).toBe(true)
    expect(coerce("'a", '@').value).toBe('a')
    expect(coerce(7, '@').value).toBe('7')
  })
})
