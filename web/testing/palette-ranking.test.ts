import { describe, expect, it } from 'vitest'
import { KIND_WEIGHTS, TIER, tierOfEntry, type EntryKind } from '../src/capabilities/palette/ranking.ts'
import { keysOf } from '../../server/src/kernel/keys.ts'
import { Finder, type Findable } from '../src/kernel/finding.ts'

interface Sample extends Findable {
  readonly kind: EntryKind
}

const sample = (kind: EntryKind, name: string, more: Partial<Sample> = {}): Sample => ({
  key: `${kind}:${name}`,
  kind,
  name,
  ...more,
})

async function find(
  samples: readonly Sample[],
  typed: string,
): Promise<readonly [string, keyof typeof TIER | undefined][]> {
  const finder = new Finder(samples, { weightOf: ({ kind }) => KIND_WEIGHTS[kind], tierOf: tierOfEntry })
  const found = await finder.find(typed, 12, async () => Promise.resolve(), new AbortController().signal)
  return found.map(({ item, tier }) => [item.name, keysOf(TIER).find((name) => TIER[name] === tier)])
}

describe('ranking of the palette', () => {
  it('ranks places and actions before settings with the name, and those before other matches', async () => {
    const samples = [
      sample('setting', 'Photo', { about: 'picture' }),
      sample('setting', 'Profile picture', { about: 'photo, avatar' }),
      sample('setting', 'Telephotography'),
      sample('command', 'Share telephoto'),
      sample('command', 'Photo upload'),
      sample('person', 'Ana Telephoto'),
      sample('conversation', 'old photos', { detail: 'garden' }),
      sample('channel', 'photos'),
    ]
    expect(await find(samples, 'photo')).toEqual([
      ['photos', 'wanted'],
      ['Photo upload', 'wanted'],
      ['old photos', 'wanted'],
      ['Photo', 'named'],
      ['Ana Telephoto', 'named'],
      ['Share telephoto', 'named'],
      ['Telephotography', 'weak'],
      ['Profile picture', 'weak'],
    ])
    // Words in the channel's name narrow down its topics, but do not find them alone.
    expect(await find(samples, 'gar pho')).toEqual([['old photos', 'wanted']])
    expect(await find(samples, 'garden')).toEqual([['old photos', 'likely']])
  })

  it('ranks a person before groups and topics with the name', async () => {
    const samples = [
      sample('group', 'Priya Raman, Kenji Mori'),
      sample('conversation', 'Questions for Priya'),
      sample('person', 'Priya Raman'),
    ]
    expect((await find(samples, 'priya')).map(([name]) => name)).toEqual([
      'Priya Raman',
      'Questions for Priya',
      'Priya Raman, Kenji Mori',
    ])
    const near = await find([...samples, sample('setting', 'Pirate mode')], 'pirya')
    expect(near.map(([, tier]) => tier)).toEqual(['likely', 'likely', 'likely', 'weak'])
  })

  it('finds actions by their other names', async () => {
    const samples = [
      sample('command', 'Create channel', { otherNames: ['New channel'] }),
      sample('setting', 'Channels for new people'),
      sample('setting', 'New channel notices', { about: 'log, out' }),
      sample('command', 'Sign out', { otherNames: ['Log out'] }),
    ]
    expect((await find(samples, 'new channel'))[0]).toEqual(['Create channel', 'wanted'])
    expect(await find(samples, 'log out')).toEqual([
      ['Sign out', 'wanted'],
      ['New channel notices', 'weak'],
    ])
  })
})
