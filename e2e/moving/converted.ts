import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { expectDocumented } from '../../server/src/testing/documented.ts'
import { TestUser } from '../../server/src/testing/user.ts'
import { newFolder, runParley, queryRows, movingServer } from './moved.ts'
import { readConversionReport, type ConversionReport } from './reports.ts'
import { writeZip, type ZipEntry } from '../../server/src/testing/zip-archive.ts'

export interface ConvertedOrganization {
  readonly host: string
  readonly told: ConversionReport
  readonly leftOut: ReadonlyMap<string, number>
  /** New IDs by kind and original ID. */
  readonly ids: ReadonlyMap<string, number>
  /** Signs in as an imported user with the new API key. */
  user(there: string): Promise<TestUser>
}

/** Creates a ZIP archive; values other than text and buffers become JSON. */
export async function createZip(files: Readonly<Record<string, unknown>>, ...more: ZipEntry[]): Promise<string> {
  const path = join(await newFolder(), 'export.zip')
  const zipped = Object.entries(files).map(([name, content]) => ({
    path: name,
    content: typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  }))
  await writeZip(path, [...zipped, ...more])
  return path
}

const idListEntry = z.object({ kind: z.string(), there: z.string(), here: z.number() })

export const newSubdomain = (): string => `c${randomUUID().slice(0, 8)}`

export async function importExport(
  service: string,
  path: string,
  subdomain = newSubdomain(),
): Promise<ConvertedOrganization> {
  const made = await runParley('import', service, path, '--json', '--organization', subdomain)
  expect([made.code, made.stderr.replaceAll(/.* \.{3}\n/g, '')]).toEqual([0, ''])
  expectDocumented(`import ${service}`, JSON.parse(made.stdout))
  return readConvertedOrganization(subdomain, readConversionReport(made.stdout))
}

/** The organization at a subdomain, with the output of the import. */
export async function readConvertedOrganization(
  subdomain: string,
  told: ConversionReport,
): Promise<ConvertedOrganization> {
  const lines = (await readFile(String(told.ids), 'utf8')).trimEnd().split('\n')
  const ids = new Map(
    lines.map((line) => {
      const { kind, there, here } = idListEntry.parse(JSON.parse(line))
      return [`${kind} ${there}`, here] as const
    }),
  )
  const host = `${subdomain}.parley.test`
  return {
    host,
    told,
    ids,
    leftOut: new Map(told.left_out.map(({ what, count }) => [what, count])),
    async user(there) {
      const id = ids.get(`user ${there}`)
      const [row] = await queryRows(
        `select u.delivery_email as email, c.api_key as key from users u
         join organizations o on o.id = u.organization_id
         join credentials c on c.organization_id = u.organization_id and c.user_id = u.id
         where o.string_id = $1 and u.id = $2`,
        [subdomain, id],
      )
      if (row === undefined || id === undefined) throw new Error(`no user has the address ${there}`)
      return new TestUser(movingServer().parley.url, host, String(row['email']), String(row['key']), id)
    },
  }
}

export interface ReadMessage {
  readonly id: number
  readonly content: string
  readonly subject: string
  readonly sender_full_name: string
  readonly display_recipient: string | { id: number }[]
  readonly timestamp: number
  readonly flags: string[]
  readonly reactions: { emoji_name: string; reaction_type: string; user_id: number }[]
}

/** All messages that a user can read, oldest first. */
export async function fetchMessages(
  user: TestUser,
  narrow: unknown[] = [],
  isRendered = false,
): Promise<ReadMessage[]> {
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow,
    apply_markdown: isRendered,
    allow_empty_topic_name: true,
  })
  return messages
}
