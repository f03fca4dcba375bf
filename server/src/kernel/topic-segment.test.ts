import { expect, it } from 'vitest'
import { topicSegment } from './topic-segment.ts'

it.each([
  ['.', '.%20'],
  ['..', '..%20'],
  ['...', '...'],
  ['%2e%2e', '%252e%252e'],
  ['../x', '..%2Fx'],
  ['\ud83d', '%EF%BF%BD'],
])('encodes a topic as one path segment that browsers keep: %j', (topic, segment) => {
  expect(topicSegment(topic)).toBe(segment)
  expect(new URL(`https://x.org/c/1/t/${segment}?near=5`).pathname).toBe(`/c/1/t/${segment}`)
})
