import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installOlderPostgres, olderMajorVersions } from './older.ts'

it("hides the server's secrets from npm", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-npm-'))
  try {
    // Records its environment and fails.
    await writeFile(join(folder, 'npm'), '#!/bin/sh\nenv > "$0.seen"\nexit 1\n', { mode: 0o755 })
    const secrets = {
      PARLEY_SMTP_URL: 'smtps://user:secret@mail.example.org',
      PARLEY_OWNER_PASSWORD: 'secret',
      DATABASE_URL: 'postgres://user:secret@db.example.org/parley',
      DATABASE_REPLICA_URLS: 'postgres://user:secret@replica.example.org/parley',
      BUS_URL: 'nats://user:secret@bus.example.org',
      AWS_ACCESS_KEY_ID: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
    }
    const environment = {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      HTTPS_PROXY: 'http://proxy.example.org',
      ...secrets,
    }
    const [major = 0] = olderMajorVersions()
    const installed = installOlderPostgres(major, join(folder, 'project'), environment, new AbortController().signal)
    await expect(installed).rejects.toThrow(`npm could not install PostgreSQL ${major}`)
    const seen = await readFile(join(folder, 'npm.seen'), 'utf8')
    expect(seen).toContain('HTTPS_PROXY=http://proxy.example.org')
    expect(seen).not.toContain('secret')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
