/*
 * Reads the conversations in talk/:
 *
 *   # channel > topic        the following is posted there
 *   @ Ada, Luca              the following is a direct message conversation
 *   Ada: Some **Markdown**   a message; lines up to the next name belong to it
 */

export interface Scene {
  readonly place: { readonly channel: string; readonly topic: string } | { readonly between: readonly string[] }
  readonly lines: readonly Line[]
}

export interface Line {
  readonly speaker: string
  readonly content: string
}

/** @param speakers first names that start a message; any other word before a colon is content */
export function readScenes(text: string, speakers: ReadonlySet<string>): Scene[] {
  const scenes: { place: Scene['place']; lines: { speaker: string; content: string }[] }[] = []
  for (const line of text.split('\n')) {
    const place = placeOf(line)
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

function placeOf(line: string): Scene['place'] | undefined {
  const [, channel, topic] = /^# (\S+) > (.+)$/.exec(line) ?? []
  if (channel !== undefined && topic !== undefined) return { channel, topic }
  const [, names] = /^@ (.+)$/.exec(line) ?? []
  return names === undefined ? undefined : { between: names.split(', ') }
}
