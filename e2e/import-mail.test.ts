import { expect, it, vi } from 'vitest'
import { makeMissedMessagesDue } from '../server/src/capabilities/missed-messages/testing/scene.ts'
import { useMailServer } from '../server/src/testing/mail-server.ts'
import { importExport, createZip } from './moving/converted.ts'
import { queryRows, movingServer, useMovingServer } from './moving/moved.ts'

/* Imported users have a real email address, or a placeholder that receives no email. */

vi.setConfig({ testTimeout: 120_000 })

const mails = await useMailServer()
useMovingServer({ PARLEY_SMTP_URL: mails.url, PARLEY_MAIL_FROM: 'chat@parley.example' })

it('emails only new messages, and only to imported people with a real email address', async () => {
  const path = await createZip({
    'users.json': [
      { id: 'U1', real_name: 'Olga Owner', is_owner: true, profile: { email: 'olga@harbour.example' } },
      { id: 'U2', real_name: 'Kim Lee', profile: { email: 'kim@harbour.example' } },
      { id: 'U3', real_name: 'No Mail' },
    ],
    'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1', 'U2', 'U3'] }],
    'general/2023-11-14.json': [{ type: 'message', user: 'U1', text: 'Long ago, <@U2>', ts: '1700000001.000100' }],
  })
  const made = await importExport('slack', path)
  const olga = await made.user('U1')
  const [kim, nobody] = [made.ids.get('user U2') ?? 0, made.ids.get('user U3') ?? 0]
  await olga.send('general', '', `Now, @**Kim Lee|${kim}** and @**No Mail|${nobody}**`)
  const [row] = await queryRows('select id from organizations where string_id = $1', [made.host.split('.')[0]])
  await makeMissedMessagesDue(movingServer(), { id: Number(row?.['id']) })
  const mail = await mails.next('kim@harbour.example')
  expect(mail.text).toContain('Now, @Kim Lee and @No Mail')
  expect(mail.text).not.toContain('Long ago')
  expect(mails.received('u3@slack.imported.invalid')).toEqual([])
  expect(mails.received()).toEqual([])
})
