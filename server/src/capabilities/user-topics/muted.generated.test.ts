import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { VISIBILITY, type VisibilityPolicy } from './contract.ts'
import { isTopicMuted } from './rules.ts'

type Choice = { readonly channel: boolean } | { readonly topic: VisibilityPolicy }

const choices: fc.Arbitrary<Choice[]> = fc.array(
  fc.oneof(
    fc.record({ channel: fc.boolean() }),
    fc.record({ topic: fc.constantFrom<VisibilityPolicy>(...Object.values(VISIBILITY)) }),
  ),
)

/** Model: the last choice for the topic applies or, without one, the last choice for the channel. */
function isMutedInModel(all: readonly Choice[]): boolean {
  for (const choice of all.toReversed()) {
    if (!('topic' in choice)) continue
    if (choice.topic === VISIBILITY.muted) return true
    if (choice.topic === VISIBILITY.unmuted || choice.topic === VISIBILITY.followed) return false
    // The last choice cleared the policy, so earlier choices do not count.
    break
  }
  const ofChannel = all.findLast((choice) => 'channel' in choice)
  return ofChannel?.channel ?? false
}

it('mutes a topic according to its newest policy, or else according to its channel', () => {
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(choices, (all) => {
      let [isMuted, policy]: [boolean, VisibilityPolicy] = [false, VISIBILITY.none]
      for (const choice of all) {
        if ('channel' in choice) isMuted = choice.channel
        else policy = choice.topic
      }
      const found = isTopicMuted({ isMuted }, policy)
      seen.add(found)
      expect(found).toBe(isMutedInModel(all))
    }),
    { numRuns: effort(500) },
  )
  expect(seen).toEqual(new Set([true, false]))
})
