import { setTimeout as sleep } from 'node:timers/promises'
import { ROLE } from '../../kernel/actor.ts'
import { findPlayer, type Cast, type Player } from './stage.ts'
import { OWNER, firstNameOf, DEMO_CHANNELS } from './team.ts'

const DELAY_RANGE_SECONDS = { shortest: 1.5, longest: 5 } as const

export async function createChannels(url: string, cast: Cast): Promise<void> {
  const owner = findPlayer(cast, firstNameOf(OWNER))
  const everybody = [...cast.values()].filter((member) => member.role !== ROLE.guest && member.botOf === undefined)
  await callApi(url, owner, 'PATCH', '/realm', { enable_spectator_access: 'true' })
  for (const room of DEMO_CHANNELS) {
    const members = room.members?.map((name) => findPlayer(cast, name)) ?? everybody
    await callApi(url, owner, 'POST', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: room.name, description: room.description }]),
      principals: JSON.stringify(members.map((member) => member.userId)),
      invite_only: JSON.stringify(room.kind === 'private'),
      is_web_public: JSON.stringify(room.kind === 'web-public'),
      send_new_subscription_messages: 'false',
    })
  }
}

export async function playAtOnce(url: string, cast: Cast, scenes: readonly Scene[]): Promise<number> {
  await Promise.all(
    scenes.map(async ({ place, lines }) => {
      for (const line of lines) await sendLine(url, cast, place, line)
    }),
  )
  return scenes.reduce((count, { lines }) => count + lines.length, 0)
}

export async function playLive(
  url: string,
  cast: Cast,
  scenes: readonly Scene[],
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    for (const { place, lines } of shuffle(scenes)) {
      for (const line of lines) {
        const seconds =
          DELAY_RANGE_SECONDS.shortest + Math.random() * (DELAY_RANGE_SECONDS.longest - DELAY_RANGE_SECONDS.shortest)
        await sleep(seconds * 1000, undefined, { signal: stopping }).catch(() => undefined)
        if (stopping.aborted) return
        await sendLine(url, cast, place, line)
      }
    }
  }
}

async function sendLine(url: string, cast: Cast, place: Scene['place'], { speaker, content }: Line): Promise<void> {
  const address =
    'between' in place
      ? { type: 'direct', to: JSON.stringify(place.between.map((name) => findPlayer(cast, name).userId)) }
      : { type: 'channel', to: place.channel, topic: place.topic }
  await callApi(url, findPlayer(cast, speaker), 'POST', '/messages', { ...address, content, read_by_sender: true })
}

async function callApi(
  url: string,
  { email, apiKey }: Player,
  method: 'POST' | 'PATCH',
  path: string,
  parameters: object,
): Promise<void> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'user-agent': 'ParleyDemo/1',
    },
    body: new URLSearchParams({ ...parameters }),
  })
  if (!response.ok) throw new Error(`${method} ${path} as ${email}: ${await response.text()}`)
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/*
 * Format of the conversations in talk/:
 *
 *   # channel > topic        the next messages are posted in this topic
 *   @ Ada, Luca              the next messages are direct messages between these people
 *   Ada: Some **Markdown**   a message, which continues until the next line that starts with a name
 */

interface Scene {
  readonly place: { readonly channel: string; readonly topic: string } | { readonly between: readonly string[] }
  readonly lines: readonly Line[]
}

interface Line {
  readonly speaker: string
  readonly content: string
}

/** `speakers` are first names that start a message; any other word before a colon is content. */
export function readScenes(text: string, speakers: ReadonlySet<string>): Scene[] {
  const scenes: { place: Scene['place']; lines: { speaker: string; content: string }[] }[] = []
  for (const line of text.split('\n')) {
    const place = parsePlace(line)
    const scene = scenes.at(-1)
    const [, speaker = '', content = ''] = /^(\w+): (.*)$/.exec(line) ?? []
    if (place !== undefined) scenes.push({ place, lines: [] })
    else if (scene !== undefined && speakers.has(speaker)) scene.lines.push({ speaker, content })
    else {
      const said = scene?.lines.at(-1)
      if (said !== undefined) said.content += `\n${line}`
      else if (line !== '') throw new Error(`Nobody says: ${line}`)
    }
  }
  return scenes.map(({ place, lines }) => ({
    place,
    lines: lines.map(({ speaker, content }) => ({ speaker, content: content.trimEnd() })),
  }))
}

function parsePlace(line: string): Scene['place'] | undefined {
  const [, channel, topic] = /^# (\S+) > (.+)$/.exec(line) ?? []
  if (channel !== undefined && topic !== undefined) return { channel, topic }
  const [, names] = /^@ (.+)$/.exec(line) ?? []
  return names === undefined ? undefined : { between: names.split(', ') }
}
