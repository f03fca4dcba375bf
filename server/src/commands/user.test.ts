import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { lockDataDirectory } from '../platform/embedded/index.ts'
import { OWNER_ENVIRONMENT, runHere, useCommandLine } from '../testing/command-line.ts'
import { textLike } from '../testing/expected.ts'

const commandLine = useCommandLine()

const keyIn = (stdout: string): string => /API key +(\w+)/.exec(stdout)?.[1] ?? ''
const passwordIn = (stdout: string): string => /Password +(\S+)/.exec(stdout)?.[1] ?? ''

it('creates users who can use a running server immediately', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const ada = await parley.run(['user', 'create', 'ada@example.com', '--name', 'Ada Okafor', '--role', 'moderator'])
  expect(ada).toMatchObject({ code: 0, stderr: '' })
  const user = server.user('ada@example.com', keyIn(ada.stdout))
  // The server may not have received the commit yet.
  await expect.poll(async () => user.try('GET', '/users/me')).toMatchObject({ status: 200 })
  expect(await user.call('GET', '/users/me')).toMatchObject({ full_name: 'Ada Okafor', role: 300, is_bot: false })
  expect(await user.call('GET', '/users/me/subscriptions')).toMatchObject({ subscriptions: [{ name: 'general' }] })

  const { body } = await user.try('POST', '/fetch_api_key', {
    username: 'ada@example.com',
    password: passwordIn(ada.stdout),
  })
  expect(body).toMatchObject({ api_key: user.apiKey })

  const bot = await parley.run(
    ['user', 'create', 'bot@example.com', '--name', 'Bot'].concat(['--bot', '--owner', 'ada@example.com']),
  )
  expect(bot.stdout).not.toContain('Password')
  const { user_id: ownerId } = await user.call('GET', '/users/me')
  await expect
    .poll(async () => (await user.call('GET', '/users'))['members'])
    .toContainEqual(expect.objectContaining({ email: 'bot@example.com', bot_owner_id: ownerId }))
})

it('prints a one-line error when a user command fails', async () => {
  const parley = await commandLine()
  const complaint = async (...command: string[]): Promise<string> => {
    const { code, stdout, stderr } = await parley.run(command)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    return stderr
  }
  await parley.stay('start', OWNER_ENVIRONMENT)
  expect(await complaint('user', 'api-key', 'nobody@localhost')).toBe(
    'parley: No user has the email nobody@localhost.\n',
  )
  expect(await complaint('user', 'create', 'owner@localhost', '--name', 'Another')).toBe(
    "parley: Email 'owner@localhost' already in use\n",
  )
  expect(await complaint('user', 'create', 'bot@localhost', '--name', 'Bot', '--bot', '--owner', 'nobody@x')).toBe(
    'parley: No user has the email nobody@x.\n',
  )
})

it('prints a one-line error when the embedded database is missing or in use', async () => {
  const { directory } = await commandLine()
  const embedded = { PARLEY_DATA_DIR: join(directory, 'embedded') }
  expect(await runHere(['user', 'api-key', 'owner@localhost'], embedded)).toEqual({
    code: 1,
    stdout: '',
    stderr: textLike(/^parley: No database in .*\n$/),
  })
  await mkdir(embedded.PARLEY_DATA_DIR)
  const lock = await lockDataDirectory(embedded.PARLEY_DATA_DIR)
  expect(await runHere(['start'], { ...embedded, ...OWNER_ENVIRONMENT })).toEqual({
    code: 1,
    stdout: '',
    stderr: textLike(/^parley: Another Parley, process \d+, is using the data directory .*\n$/),
  })
  await lock.release()
})

it('sets the given password for a user and rejects a password for a bot', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const given = ['user', 'password', 'owner@localhost', '--password-stdin']
  const changed = await parley.run(given, { input: 'correct horse battery\n' })
  expect(changed).toMatchObject({ code: 0, stdout: 'Changed the password of owner@localhost.\n' })
  expect(changed.stderr).toBe('Replaced the API key.\n')
  const nobody = server.user('owner@localhost', '')
  const login = { username: 'owner@localhost', password: 'correct horse battery' }
  expect((await nobody.try('POST', '/fetch_api_key', login)).status).toBe(200)
  await parley.run(['user', 'create', 'bot@example.com', '--name', 'Bot', '--bot'])
  for (const [args, complaint] of [
    [['bot@example.com'], 'bot@example.com is a bot. Bots have no password.'],
    [['nobody@example.com'], 'No user has the email nobody@example.com.'],
  ] as const) {
    const { code, stdout, stderr } = await parley.run(['user', 'password', ...args])
    expect([code, stdout, stderr]).toEqual([1, '', `parley: ${complaint}\n`])
  }
})

it('turns off two-factor authentication for a user', async () => {
  const parley = await commandLine()
  const { PARLEY_OWNER_PASSWORD: password } = OWNER_ENVIRONMENT
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const remove = ['user', 'remove-second-factor', 'owner@localhost']
  const complaint = 'parley: owner@localhost does not use two-factor authentication.\n'
  expect(await parley.run(remove)).toEqual({ code: 1, stdout: '', stderr: complaint })
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'])
  const owner = server.user('owner@localhost', key.trim())
  const { secret } = await owner.call('POST', '/second_factor', { password })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await owner.call('POST', '/second_factor/confirm', { code })
  const login = { username: 'owner@localhost', password }
  expect((await owner.try('POST', '/fetch_api_key', login)).status).toBe(401)
  const removed = 'Turned off two-factor authentication for owner@localhost.\n'
  expect(await parley.run(remove)).toEqual({ code: 0, stdout: removed, stderr: '' })
  expect((await owner.try('POST', '/fetch_api_key', login)).status).toBe(200)
})
