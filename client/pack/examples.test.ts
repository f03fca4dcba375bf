import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { packageClient } from '../pack.js'
import { makeDue } from '../../server/src/testing/age.ts'
import { textLike, textWith } from '../../server/src/testing/expected.ts'
import { isObject } from '../../server/src/testing/json.ts'
import { useTestServer, type TestOrganization } from '../../server/src/testing/server.ts'
import type { Body, TestQueue, TestUser } from '../../server/src/testing/user.ts'
import { GitHub, gitHubEvent } from './testing/github.ts'

const ROOT = join(import.meta.dirname, '../..')

// Serves the organization at every host.
const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
/** Copy of the examples outside the repository, with the client package installed. */
let folder = ''
let organization: TestOrganization
const running = new Set<ChildProcess>()

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-examples-')))
  cpSync(join(ROOT, 'examples'), folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  await packageClient(ROOT, join(folder, 'node_modules/@parley/client'))
  organization = await server().organization('Test', { stringId: '' })
})

afterEach(async () => {
  for (const child of running) await stop(child)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function start(file: string, bot: TestUser, environment: Record<string, string> = {}): ChildProcess {
  const { PATH = '' } = process.env
  const env = { PATH, PARLEY_URL: bot.url, PARLEY_EMAIL: bot.email, PARLEY_API_KEY: bot.apiKey, ...environment }
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  running.add(child)
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** Starts a bot and waits until it has an event queue. */
async function startBot(file: string, bot: TestUser): Promise<void> {
  start(file, bot)
  const { pool } = server().parley.database
  await expect.poll(async () => (await pool.query('select from queues where user_id = $1', [bot.id])).rowCount).toBe(1)
}

/** Waits for messages from other users. @returns the messages with Markdown content */
async function waitForMessages(queue: TestQueue, count: number): Promise<Body[]> {
  const heard: Body[] = []
  await expect
    .poll(async () => {
      const told = (await queue.events()).flatMap(({ message }) => message ?? [])
      return heard.push(...told.filter(({ sender_id }) => sender_id !== queue.user.id))
    })
    .toBe(count)
  return heard
}

const MARKDOWN_MESSAGES = { event_types: ['message'], apply_markdown: false }

it('type-checks all examples without errors', { timeout: 300_000 }, async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^[\w-]+\/\w+\.js$/.test(name),
  )
  expect(files).toHaveLength(4)
  const options = ['--strict', '--noEmit', '--allowJs', '--checkJs', '--target', 'es2023', '--module', 'nodenext']
  const types = ['--skipLibCheck', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [compiler, ...options, ...types, ...files], { cwd: folder })
  expect(
    await compiled.then(
      () => '',
      (error: unknown) => (isObject(error) ? error['stdout'] : error),
    ),
  ).toBe('')
})

describe('echo bot', () => {
  it('makes the echo bot answer mentions and direct messages without mentioning anyone', async () => {
    const { owner, user } = organization
    const [echo, ann] = [await user('Echo', { bot: { ownerId: owner.id } }), await user('Ann')]
    await owner.subscribe(['echoes'], { principals: [owner.id, echo.id, ann.id] })
    await startBot('echo-bot/bot.js', echo)
    const [queue, others] = [await owner.register(MARKDOWN_MESSAGES), await ann.register(MARKDOWN_MESSAGES)]
    await owner.send('echoes', 'sounds', 'Nobody is asked')
    await owner.send('echoes', 'sounds', '@**Echo** hello @**Ann**')
    await owner.sendTo([echo.id, ann.id], 'To both')
    expect(await waitForMessages(queue, 2)).toMatchObject([
      { type: 'stream', display_recipient: 'echoes', subject: 'sounds', content: '@_**Echo** hello @_**Ann**' },
      { type: 'private', content: 'To both' },
    ])
    const flags = (await others.events()).flatMap((event) => event.flags?.filter((flag) => flag === 'mentioned'))
    // The owner mentioned Ann once.
    expect(flags).toEqual(['mentioned'])
  })
})

describe('reminder bot', () => {
  it('makes the reminder bot send reminders, and lets people delete only their own reminders', async () => {
    const { owner, user } = organization
    const [bot, ann] = [await user('Reminder', { bot: { ownerId: owner.id } }), await user('Ann')]
    await startBot('reminder-bot/bot.js', bot)
    const [queue, hers] = [await owner.register(MARKDOWN_MESSAGES), await ann.register(MARKDOWN_MESSAGES)]
    const sendAndWait = async (words: string): Promise<unknown> => {
      await owner.sendTo([bot.id], words)
      return (await waitForMessages(queue, 1))[0]?.['content']
    }
    expect(await sendAndWait('hello')).toMatch(/^Send `in 10 minutes/)
    expect(await sendAndWait('list')).toBe('You have no reminders.')
    expect(await sendAndWait('in 2 Hours check the cake')).toMatch(/^Reminder set for <time:20.*Z>\.$/)
    expect(await sendAndWait('in 3 weeks pay')).toMatch(/^Reminder set/)
    expect(await sendAndWait('list')).toMatch(/^- \d+, <time:.*>: ⏰ check the cake\n- \d+, <time:.*>: ⏰ pay$/)
    const { scheduled_messages } = await bot.call('GET', '/scheduled_messages')
    const [first, second] = scheduled_messages.map((one) => one.scheduled_message_id)
    await ann.sendTo([bot.id], `forget ${second}`)
    expect(await waitForMessages(hers, 1)).toMatchObject([{ content: 'You have no reminder with that number.' }])
    expect(await sendAndWait(`forget ${second}`)).toBe('Reminder deleted.')
    expect(await sendAndWait(`forget ${second}`)).toBe('You have no reminder with that number.')
    await makeDue(server().database, 'scheduled_messages', organization.id, [Number(first)])
    expect(await waitForMessages(queue, 1)).toMatchObject([{ type: 'private', content: '⏰ check the cake' }])
    // The bot passes on the server's error message.
    expect(await sendAndWait('in 9999 weeks see')).toMatch(/./)
    expect(await newMessages(hers)).toEqual([])
  })
})

async function newMessages(queue: TestQueue): Promise<Body[]> {
  return (await queue.events()).filter(({ message }) => message?.sender_id !== queue.user.id)
}

const ISSUE = {
  number: 1347,
  title: 'Found a bug @**all** *now*',
  html_url: 'https://github.com/octocat/Hello-World/issues/1347',
}
const COMMIT_PUSHED = gitHubEvent('22249084964', 'PushEvent', {
  push_id: 10115855396,
  size: 1,
  distinct_size: 1,
  ref: 'refs/heads/master',
  head: '7a8f3ac80e2ad2f6842cb86f576d4bfe2c03e300',
  before: '883efe034920928c47fe18598c01249d1a9fdabd',
  commits: [{ sha: '7a8f3ac80e2ad2f6842cb86f576d4bfe2c03e300', message: 'commit\n\nmore', distinct: true }],
})
const ISSUE_OPENED = gitHubEvent('22249084965', 'IssuesEvent', { action: 'opened', issue: ISSUE })
const ISSUE_COMMENTED = gitHubEvent('22249084966', 'IssueCommentEvent', {
  action: 'created',
  issue: ISSUE,
  comment: { html_url: `${ISSUE.html_url}#issuecomment-1`, body: 'Me too\n@**all**' },
})
const REPOSITORY_STARRED = gitHubEvent('22249084967', 'WatchEvent', { action: 'started' })
const PULL_REQUEST_MERGED = gitHubEvent('22249084968', 'PullRequestEvent', {
  action: 'closed',
  number: 7,
  pull_request: {
    number: 7,
    title: 'Mend it',
    merged: true,
    html_url: 'https://github.com/octocat/Hello-World/pull/7',
  },
})
const RELEASE_PUBLISHED = gitHubEvent('99999999999999999999', 'ReleaseEvent', {
  action: 'published',
  release: { tag_name: 'v1.0.0', name: null, html_url: 'https://github.com/octocat/Hello-World/releases/v1.0.0' },
})

describe('GitHub relay', () => {
  it('makes the GitHub relay post new events once and in order, even after a restart', async () => {
    const { owner, user } = organization
    const relay = await user('Relay', { bot: { ownerId: owner.id } })
    await owner.subscribe(['code'], { principals: [owner.id, relay.id] })
    const queue = await owner.register(MARKDOWN_MESSAGES)
    const gitHub = new GitHub([COMMIT_PUSHED])
    const environment = {
      GITHUB_URL: await gitHub.start(),
      GITHUB_TOKEN: 'secret',
      REPOSITORY: 'octocat/Hello-World',
      CHANNEL: 'code',
    }
    try {
      const first = start('github-relay/relay.js', relay, environment)
      await expect.poll(() => gitHub.asked.length).toBe(2)
      expect(gitHub.asked).toMatchObject([
        { url: '/repos/octocat/Hello-World/events?per_page=100', headers: { authorization: 'Bearer secret' } },
        { headers: { 'if-none-match': '"1"' } },
      ])
      // The first run does not post earlier events.
      expect(await newMessages(queue)).toEqual([])
      gitHub.happens(REPOSITORY_STARRED, ISSUE_COMMENTED, ISSUE_OPENED)
      const about = '\\#1347 Found a bug \\@\\*\\*all\\*\\* \\*now\\*'
      expect(await waitForMessages(queue, 2)).toMatchObject([
        { subject: '#1347 Found a bug @**all** *now*', content: `**octocat** opened [${about}](${ISSUE.html_url})` },
        {
          subject: '#1347 Found a bug @**all** *now*',
          content: `**octocat** [commented](${ISSUE.html_url}#issuecomment-1):\n> Me too\n> \\@\\*\\*all\\*\\*`,
        },
      ])
      await expect.poll(() => gitHub.asked.length).toBe(3)
      await stop(first)
      // Simulates a stop after the message was sent but before the bot stored this.
      await relay.call('PUT', '/bot_storage', { storage: { 'github-relay.last-event': '22249084965' } })
      gitHub.happens(RELEASE_PUBLISHED, PULL_REQUEST_MERGED)
      // GitHub's response to a rate-limited request.
      gitHub.refusal = 403
      const second = start('github-relay/relay.js', relay, environment)
      expect(await waitForMessages(queue, 2)).toMatchObject([
        {
          subject: '#7 Mend it',
          content: '**octocat** merged [\\#7 Mend it](https://github.com/octocat/Hello-World/pull/7)',
        },
        { subject: 'v1.0.0', content: textWith('published [v1\\.0\\.0](https://') },
      ])
      await expect.poll(() => gitHub.asked.length).toBe(6)
      expect(await relay.call('GET', '/bot_storage')).toMatchObject({
        storage: { 'github-relay.last-event': '99999999999999999999' },
      })
      await stop(second)
      expect(await newMessages(queue)).toEqual([])
    } finally {
      gitHub.close()
    }
  })

  it('makes the GitHub relay post pushes with their commits, and exit if its own API key is wrong', async () => {
    const { owner, user } = organization
    const relay = await user('Another Relay', { bot: { ownerId: owner.id } })
    await owner.subscribe(['pushes'], { principals: [owner.id, relay.id] })
    const queue = await owner.register(MARKDOWN_MESSAGES)
    await relay.call('PUT', '/bot_storage', { storage: { 'github-relay.last-event': '1' } })
    const gitHub = new GitHub([COMMIT_PUSHED])
    const environment = { GITHUB_URL: await gitHub.start(), REPOSITORY: 'octocat/Hello-World', CHANNEL: 'pushes' }
    try {
      start('github-relay/relay.js', relay, environment)
      const commit = 'https://github.com/octocat/Hello-World/commit/7a8f3ac80e2ad2f6842cb86f576d4bfe2c03e300'
      expect(await waitForMessages(queue, 1)).toMatchObject([
        {
          subject: 'master',
          content: textLike(/^\*\*octocat\*\* \[pushed\]\(https:.*\.\.\..*\) to master\n- /),
        },
      ])
      const { messages } = await owner.call('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: false,
      })
      expect(messages[0]?.content).toContain(`\n- [7a8f3ac](${commit}) commit`)
      const wrong = start('github-relay/relay.js', relay, { ...environment, PARLEY_API_KEY: 'x'.repeat(32) })
      let said = ''
      wrong.stderr?.on('data', (bytes: Buffer) => void (said += bytes.toString()))
      const closed: unknown[] = await once(wrong, 'close')
      expect([closed[0], /INVALID_API_KEY|UNAUTHENTICATED_USER/.test(said)]).toEqual([1, true])
    } finally {
      gitHub.close()
    }
  })
})
