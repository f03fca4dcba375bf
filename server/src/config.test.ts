import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

it.each([
  ['PARLEY_DEVELOPMENT', 'perhaps', 'must be 1, true, on or yes, or else 0, false, off or no'],
  ['PORT', 'http', 'must be a number from 0 to 65535'],
  ['PORT', '65536', 'must be at most 65535'],
  ['PORT', '1.5', 'must be a whole number from 0 to 65535'],
  ['PARLEY_HEARTBEAT_SECONDS', '0', 'must be at least 1'],
  ['PARLEY_URL', 'chat', 'must be a URL like https://chat.example.org'],
  ['PARLEY_ROOT_DOMAIN', 'bad domain', 'must be a host name, like chat.example.org'],
  ['PARLEY_URL', 'https://example.org/chat', 'must have no path, like https://chat.example.org'],
  ['PARLEY_URL', 'https://example.org/?chat', 'must have no path, like https://chat.example.org'],
  ['PARLEY_URL', 'ftp://chat.example.org', 'must be a URL like https://chat.example.org'],
  ['PORT', ' ', 'must be a number from 0 to 65535'],
  ['PORT', '-1', 'must be at least 0'],
  ['PARLEY_ROOT_DOMAIN', 'chat..example.org', 'must be a host name, like chat.example.org'],
  ['PARLEY_LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error or silent'],
  ['PARLEY_RATE_LIMIT_LOGIN', '5/', 'must be written count/seconds, for example 200/60'],
  ['PARLEY_API_NAMES', 'other', 'must be neutral or zulip'],
  ['PARLEY_RATE_LIMITS', 'perhaps', 'must be on or off'],
  ['PARLEY_SMTP_URL', 'mail.example.org', 'must be a URL like smtps://user:password@mail.example.org'],
  ['PARLEY_SMTP_URL', 'https://mail.example.org', 'must be a URL like smtps:'],
  ['PARLEY_SMTP_URL', 'smtp://a:%zz@mail.example.org', 'must be a URL like smtps:'],
  ['PARLEY_SMTP_URL', 'smtp://', 'must be a URL like smtps:'],
  ...['/', '#', '?', '@', '%'].map((character): [string, string, string] => [
    'PARLEY_SMTP_URL',
    `smtp://user:pass${character}word@mail.example.org`,
    'must be a URL like smtps://user:password@mail.example.org, or smtp: where encryption starts after the greeting (port 587). ' +
      'In a user name and password, write % as %25, / as %2F, # as %23, ? as %3F, and @ as %40',
  ]),
  ['PARLEY_SMTP_TLS', 'off', 'must be verify or unverified'],
  ['BUS_URL', 'bus.example.org', 'must be a URL like nats://user:password@bus.example.org:4222'],
  ['BUS_URL', 'nats://parley:secret@', 'must be a URL like nats://user:password@bus.example.org:4222'],
  ['BUS_URL', 'nats://bus.example.org', 'requires DATABASE_URL, the database that the servers share'],
  ['DATABASE_REPLICA_URLS', 'replica.example.org', 'must be URLs like postgres://user:password@host:5432/database'],
  [
    'DATABASE_REPLICA_URLS',
    'postgres://one,two/parley',
    'must be URLs like postgres://user:password@host:5432/database',
  ],
  ['DATABASE_REPLICA_URLS', 'postgres://one/parley', 'requires DATABASE_URL, the primary of the replicas'],
  ['PARLEY_FILES', 'files', 'must be an address like s3://bucket/prefix?endpoint=https://s3.example.org'],
  ['PARLEY_FILES', 's3://b', 'must have a bucket name of 3 to 63 lowercase letters, digits, hyphens, and dots'],
  ['PARLEY_FILES', 's3://key:secret@files', 'must not contain credentials: set AWS_ACCESS_KEY_ID'],
  ['PARLEY_MAIL_FROM', 'Acme <a@example.org>', 'must be an email address, like chat@example.org'],
  ['PARLEY_OIDC_ISSUER', 'login.example.org', 'must be a URL like https://login.example.org'],
  ['PARLEY_OIDC_ISSUER', 'http://login.example.org', 'must be a URL like https://login.example.org'],
  ['PARLEY_OIDC_ISSUER', 'http://127.0.0.1.example.org', 'must be a URL like https://login.example.org'],
  ['PARLEY_JITSI_URL', 'http://meet.example.org', 'must be a URL like https://meet.example.org'],
  ['PARLEY_OUTSIDE_ALLOW', '10.0.0.0/99', 'must be host names and networks, for example hooks.internal, 10.1.0.0/16'],
  ['PARLEY_RATE_LIMIT_USER', 'many', 'must be written count/seconds, for example 200/60'],
])('reports the variable and its problem: %s=%s', (name, value, complaint) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${complaint}`)
})

it('trims whitespace around a URL', () => {
  expect(readConfig({ PARLEY_URL: ' https://chat.example.org/\r\n' }).PARLEY_URL).toBe('https://chat.example.org/')
})

it('treats an empty environment variable as unset, and accepts several words for on and off', () => {
  expect(readConfig({ PORT: '', PARLEY_DEVELOPMENT: '' })).toMatchObject({ PORT: 8800, PARLEY_DEVELOPMENT: false })
  for (const word of ['1', 'true', 'ON', 'Yes'])
    expect(readConfig({ PARLEY_DEVELOPMENT: word }).PARLEY_DEVELOPMENT).toBe(true)
  for (const word of ['0', 'false', 'off', 'NO'])
    expect(readConfig({ PARLEY_DEVELOPMENT: word }).PARLEY_DEVELOPMENT).toBe(false)
})

it('expires queues after 10 minutes and sends heartbeats about every minute by default', () => {
  const { PARLEY_QUEUE_IDLE_SECONDS, PARLEY_HEARTBEAT_SECONDS } = readConfig({})
  expect(PARLEY_QUEUE_IDLE_SECONDS).toBe(600)
  expect(PARLEY_HEARTBEAT_SECONDS).toBeGreaterThanOrEqual(45)
  expect(PARLEY_HEARTBEAT_SECONDS).toBeLessThanOrEqual(75)
})

it('requires the credentials of a configured bucket', () => {
  const files = { PARLEY_FILES: 's3://files', AWS_ACCESS_KEY_ID: 'x' }
  expect(() => readConfig(files)).toThrow('AWS_SECRET_ACCESS_KEY: must be set where PARLEY_FILES is')
  expect(readConfig({ ...files, AWS_SECRET_ACCESS_KEY: 'y' }).PARLEY_FILES?.bucket).toBe('files')
  expect(readConfig({ AWS_ACCESS_KEY_ID: 'x' }).PARLEY_FILES).toBeUndefined()
})

it('requires all settings of an identity provider or none', () => {
  const provider = { PARLEY_OIDC_ISSUER: 'https://login.example.org', PARLEY_OIDC_CLIENT_ID: 'parley' }
  expect(() => readConfig(provider)).toThrow('PARLEY_OIDC_CLIENT_SECRET: must be set where PARLEY_OIDC_ISSUER is')
  expect(() => readConfig({ PARLEY_OIDC_CLIENT_SECRET: 'x' })).toThrow('PARLEY_OIDC_ISSUER: must be set')
  expect(readConfig({ ...provider, PARLEY_OIDC_CLIENT_SECRET: 'x' }).PARLEY_OIDC_NAME).toBe('OpenID Connect')
})
