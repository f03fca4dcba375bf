import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { browserOf } from '../testing/browser.ts'
import { useProgram } from '../testing/program.ts'

const program = useProgram()

const SERVER_SETTINGS = {
  DATABASE_URL: 'postgres://127.0.0.1:1/parley',
  DATABASE_REPLICA_URLS: 'postgres://127.0.0.1:1/parley',
  BUS_URL: 'nats://127.0.0.1:1',
  PARLEY_FILES: 's3://bucket?endpoint=http://127.0.0.1:1&region=eu-test-1',
  PARLEY_SMTP_URL: 'smtp://127.0.0.1:1',
  PARLEY_MAIL_FROM: 'chat@parley.example',
  PARLEY_INCOMING_MAIL_DOMAIN: 'mail.example.org',
  PARLEY_INCOMING_MAIL_PORT: '1',
}

it('runs an active demo organization and leaves nothing behind', async () => {
  const parley = await program()
  const demo = await parley.stay('demo', SERVER_SETTINGS)
  const rows = [...demo.stdout().matchAll(/^ {2}(\S+ \S+) +(\S+@\S+) +(\w{32}) {2}(\w+)$/gm)]
  expect(rows.length).toBeGreaterThanOrEqual(10)
  const [, , email = '', apiKey = ''] = rows.find(([, name]) => name === 'Ines Moreau') ?? []
  const owner = demo.user(email, apiKey)
  expect(JSON.stringify(await owner.call('GET', '/server_health'))).toContain('"is_mail_configured":false')

  const asked = { anchor: 'newest', num_before: 1000, num_after: 0 }
  const { messages: history } = await owner.call('GET', '/messages', asked)
  expect(history.length).toBeGreaterThan(200)
  const [first, last] = [history[0]?.timestamp ?? 0, history.at(-1)?.timestamp ?? 0]
  expect(last - first).toBeGreaterThan(86_400)
  const times = history.map((message) => message.timestamp)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const people = rows.filter(([, , , , role]) => role !== 'bot').map(([, name]) => name)
  expect(new Set(history.map((message) => message.sender_full_name))).toEqual(new Set(people))
  const html = history.map(({ content }) => content).join('\n')
  const parts = [
    '<table>',
    '<ul>',
    '<ol>',
    '<blockquote>',
    'class="user-mention"',
    'class="codehilite"',
    'class="stream"',
  ]
  expect(parts.filter((part) => !html.includes(part))).toEqual([])
  // Detects unrendered markup.
  expect(html.match(/.*(\*\*|~~~|@_).*/g)).toBeNull()

  const pages = await fetch(`${demo.url}/public`)
  expect([pages.status, await pages.text()]).toEqual([200, expect.stringMatching(/>community</)])

  const password = /Password for everyone: (\S+)/.exec(demo.stdout())?.[1]
  const login = await owner.try('POST', '/fetch_api_key', { username: email, password })
  expect(login.body).toMatchObject({ api_key: apiKey })

  const links = [...demo.stdout().matchAll(/^ {2}(\S+ \S+) +(http\S+)\/login#link=([\w-]{43})$/gm)]
  expect(links.map(([, name]) => name)).toEqual(people)
  const [, , address, token = ''] = links.find(([, name]) => name === 'Ines Moreau') ?? []
  expect(address).toBe(demo.url)
  for (let count = 0; count < 2; count += 1) {
    const browser = browserOf(owner, await owner.try('POST', '/login_link', { token }))
    expect(await browser.call('GET', '/users/me')).toMatchObject({ delivery_email: email })
  }

  const queue = await owner.register({ event_types: ['message'], all_public_streams: true })
  const bots = new Set(rows.filter(([, , , , role]) => role === 'bot').map(([, , bot]) => bot))
  const talking = { people: false, bots: false }
  while (!talking.people || !talking.bots) {
    for (const { message } of await queue.next()) {
      talking[bots.has(message?.sender_email) ? 'bots' : 'people'] = true
    }
  }
  expect(await demo.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  expect(await readdir(parley.directory)).toEqual([])
})
