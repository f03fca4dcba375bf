import { expect, it } from 'vitest'
import { OWNER_ENVIRONMENT, useCommandLine } from '../testing/command-line.ts'
import { callApi, TestUser, type Answer, type Parameters } from '../testing/user.ts'

const commandLine = useCommandLine()
const ROOT = { PARLEY_ROOT_DOMAIN: 'parley.localhost' }

it('creates, shows, deactivates, and reactivates a second organization', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', { ...ROOT, ...OWNER_ENVIRONMENT })
  expect(server.url).toMatch(/^http:\/\/parley\.localhost:\d+$/)
  const { port } = new URL(server.url)
  const environment = { ...ROOT, PORT: port }

  const create = ['organization', 'create', 'north', '--name', 'The North']
  const owner = ['--owner-email', 'nora@example.com', '--owner-name', 'Nora']
  const { code, stdout } = await parley.run([...create, ...owner], { environment })
  expect(code).toBe(0)
  expect(stdout).toContain(`Served at  http://north.parley.localhost:${port}`)
  const apiKey = /API key +(\w+)/.exec(stdout)?.[1] ?? ''
  const nora = new TestUser(`http://127.0.0.1:${port}`, 'north.parley.localhost', 'nora@example.com', apiKey, 0)
  await expect.poll(async () => nora.try('GET', '/users/me')).toMatchObject({ status: 200 })
  await nora.send('general', 'hello', 'Anybody here?')
  const { entries } = await nora.call('GET', '/audit_log', { limit: 500 })
  expect(entries.at(-1)).toMatchObject({
    acting_user_id: null,
    action: 'founded',
    changes: [{ property: 'name', to: 'The North' }],
  })

  const lockDown = ['lock-down', '--organization', 'north']
  const untilWhen = async (): Promise<unknown> =>
    (await nora.call('POST', '/register', { client_capabilities: { community: true } }))['lock_down']
  expect((await parley.run([...lockDown, '--minutes', '5'])).stdout).toBe('Locked down The North for 5 minutes.\n')
  await expect.poll(untilWhen).toEqual(expect.any(Number))
  expect((await parley.run([...lockDown, '--end'])).stdout).toBe('Ended the lock-down of The North.\n')
  await expect.poll(untilWhen).toBeNull()

  // The URL comes from the server, not from this command's environment.
  const show = await parley.run(['organization', 'show', '--organization', 'north'])
  expect(show.stdout.replace(/\d{4}-\d\d-\d\d/, 'today').split('\n')).toEqual([
    'The North',
    `Served at  http://north.parley.localhost:${port}`,
    'Subdomain  north',
    'Created    today',
    'Owner      Nora, nora@example.com',
    'Users      1 person, 0 bots, 0 deactivated',
    'Channels   1, plus 0 archived',
    '',
  ])
  const first = await parley.run(['organization', 'show'])
  expect(first.stdout).toContain('My organization')
  expect(first.stdout).toContain('Subdomain  (none)')

  expect(await parley.run([...create, ...owner], { environment })).toMatchObject({
    code: 1,
    stderr: "parley: The subdomain 'north' is taken.\n",
  })
  expect(await parley.run(['organization', 'show', '--organization', 'south'])).toMatchObject({
    code: 1,
    stderr: "parley: No organization has the subdomain 'south'.\n",
  })

  // The running server knows about the change when the command ends.
  expect(await parley.run(['organization', 'deactivate', '--organization', 'north'])).toEqual({
    code: 0,
    stdout: 'Deactivated The North.\n',
    stderr: '',
  })
  await expect.poll(async () => (await nora.try('GET', '/users/me')).body['code']).toBe('REALM_DEACTIVATED')
  const list = await parley.run(['organization', 'list'])
  expect(list.stdout.replaceAll(/\d{4}-\d\d-\d\d/g, 'today')).toBe(
    '-      today  active       My organization\nnorth  today  deactivated  The North\n',
  )
  expect((await parley.run(['organization', 'show', '--organization', 'north'])).stdout).toContain('deactivated\n')
  expect(await parley.run(['organization', 'deactivate', '--organization', 'north'])).toMatchObject({
    code: 1,
    stderr: 'parley: The North is already deactivated.\n',
  })
  expect((await parley.run(['organization', 'reactivate', '--organization', 'north'])).stdout).toBe(
    'Reactivated The North.\n',
  )
  await expect.poll(async () => (await nora.try('GET', '/users/me')).status).toBe(200)
  expect(await parley.run(['organization', 'reactivate', '--organization', 'north'])).toMatchObject({
    code: 1,
    stderr: 'parley: The North is not deactivated.\n',
  })
  await server.stop()
  expect((await parley.run(['organization', 'show'])).stdout).not.toContain(port)
})

it("prints a setup link that works only at the organization's subdomain", async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', { ...ROOT, ...OWNER_ENVIRONMENT })
  const { port } = new URL(server.url)
  const environment = { ...ROOT, PORT: port }
  const { code, stdout } = await parley.run(['organization', 'create', 'west', '--name', 'The West'], { environment })
  const [, token = ''] =
    new RegExp(`^Set up     http://west\\.parley\\.localhost:${port}/setup#([\\w-]{43})$`, 'm').exec(stdout) ?? []
  expect([code, token.length]).toEqual([0, 43])
  const ask = async (host: string, path: string, more: Parameters = {}): Promise<Answer> =>
    callApi(`http://127.0.0.1:${port}`, host, 'POST', path, { token, ...more })
  for (const host of ['parley.localhost', 'east.parley.localhost', 'elsewhere.example']) {
    expect((await ask(host, '/setup/link')).body['code']).toBe('AUTHENTICATION_FAILED')
  }
  const west = 'west.parley.localhost'
  expect((await ask(west, '/setup/link')).body).toMatchObject({ realm_name: 'The West' })
  const owner = { full_name: 'Wanda', email: 'wanda@example.com', password: 'seven purple elephants' }
  expect((await ask(west, '/setup', { realm_name: 'Far West', ...owner })).status).toBe(200)
  expect((await parley.run(['organization', 'show', '--organization', 'west'])).stdout).toContain(
    'Wanda, wanda@example.com',
  )
  expect(await parley.run(['organization', 'create', 'west'], { environment })).toMatchObject({
    code: 1,
    stderr: "parley: The subdomain 'west' is taken.\n",
  })
  expect(await parley.run(['organization', 'create', 'Not a name'], { environment })).toMatchObject({
    code: 1,
    stderr: 'parley: Not usable as a subdomain: Not a name\n',
  })
  expect(await parley.run(['organization', 'create', ''], { environment })).toMatchObject({
    code: 1,
    stderr: 'parley: An organization without a subdomain already exists.\n',
  })
})
