import type { SendMailOptions } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { MAX_MAIL_MEBIBYTES } from '../../platform/mail/incoming.ts'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { asUser } from '../bots/testing/bots.ts'
import { reactivateOrganization } from '../organizations/actions/index.ts'
import {
  addressFor,
  DOMAIN,
  UNKNOWN_ADDRESS,
  createGroup,
  messagesIn,
  createSceneOn,
  send as sendTo,
  INCOMING_MAIL_SETTINGS,
  type Scene,
} from './testing/scene.ts'
import type { SmtpAnswer } from './testing/sending.ts'

const server = useTestServer(INCOMING_MAIL_SETTINGS)

const createScene = async (): Promise<Scene> => createSceneOn(server())
const send = async (mail: SendMailOptions): Promise<SmtpAnswer> => sendTo(server(), mail)

describe('mail server', () => {
  it('relays no emails and rejects unknown addresses', async () => {
    const { owner, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const wrong = [
      'somebody@elsewhere.example',
      to.replace(DOMAIN, 'elsewhere.example'),
      to.replace(DOMAIN, `${DOMAIN}.evil.example`),
      to.replace(/-[a-z2-7]/, (start) => (start === '-a' ? '-b' : '-a')),
      to.replace(/\.\d+-/, '.999999-'),
      `postmaster@${DOMAIN}`,
    ]
    for (const address of wrong) expect([address, await send({ to: address })]).toEqual([address, UNKNOWN_ADDRESS])
    expect((await send({ to: to.toUpperCase() })).code).toBe(250)
  })

  it('accepts only one recipient per email', async () => {
    const { owner, ann, channel } = await createScene()
    const [one, two] = [await addressFor(owner, channel), await addressFor(ann, channel)]
    const before = (await messagesIn(ann, channel)).length
    // The server accepts the first recipient. The sending server can retry the other.
    expect((await send({ to: [one, two] })).code).toBe(250)
    expect(await messagesIn(ann, channel)).toHaveLength(before + 1)
  })

  it('rejects an email to a channel address whose user can no longer post in the channel', async () => {
    const { owner, ann, channel, ...organization } = await createScene()
    const to = await addressFor(ann, channel)
    expect((await send({ to })).code).toBe(250)
    await owner.call('PATCH', `/streams/${channel}`, {
      can_send_message_group: { new: (await createGroup(owner)).id },
    })
    expect(await send({ to })).toEqual(UNKNOWN_ADDRESS)
    const own = await addressFor(owner, channel)
    expect((await send({ to: own })).code).toBe(250)
    await owner.call('POST', '/realm/deactivate')
    expect(await send({ to: own })).toEqual(UNKNOWN_ADDRESS)
    await (await server().parley.logs.of(organization.id)).write(reactivateOrganization)
    expect((await send({ to: own })).code).toBe(250)
    await owner.call('DELETE', `/streams/${channel}`)
    expect(await send({ to: own })).toEqual(UNKNOWN_ADDRESS)
  })

  it('rejects an email to a channel address whose user or bot is deactivated', async () => {
    const { owner, ann, channel } = await createScene()
    const made = await ann.call('POST', '/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 })
    const bot = asUser(owner, 'helper-bot', made)
    const [byBot, byAnn] = [await addressFor(ann, channel, { sender_id: bot.id }), await addressFor(ann, channel)]
    await ann.call('DELETE', `/bots/${bot.id}`)
    expect([await send({ to: byBot }), (await send({ to: byAnn })).code]).toEqual([UNKNOWN_ADDRESS, 250])
    await owner.call('DELETE', `/users/${ann.id}`)
    expect(await send({ to: byAnn })).toEqual(UNKNOWN_ADDRESS)
  })

  it('rejects emails that are too large', async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const before = (await messagesIn(ann, channel)).length
    const large = Buffer.alloc(MAX_MAIL_MEBIBYTES * 1024 * 1024)
    expect((await send({ to, attachments: [{ filename: 'large', content: large }] })).code).toBe(552)
    expect(await messagesIn(ann, channel)).toHaveLength(before)
  })

  it('enforces email limits across all servers', async () => {
    const first = await startTestServer(INCOMING_MAIL_SETTINGS, { shared: true })
    const second = await startTestServerOn(first.database, INCOMING_MAIL_SETTINGS, { shared: true })
    const { owner, channel } = await createSceneOn(first)
    const to = await addressFor(owner, channel)
    for (let n = 0; n < 60; n += 1) expect((await sendTo(first, { to })).code).toBe(250)
    expect((await sendTo(first, { to })).code).toBe(450)
    // The second server alone would accept 60 emails too, but soon learns of those that the first server accepted.
    const codes: number[] = []
    while (codes.length < 60 && codes.at(-1) !== 450) codes.push((await sendTo(second, { to })).code)
    expect(codes.at(-1)).toBe(450)
    await second.close()
    await first.close()
  })

  it('accepts emails to existing channel addresses after a restart', async () => {
    const { owner, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const again = await startTestServerOn(server().database, INCOMING_MAIL_SETTINGS, { shared: true })
    expect((await sendTo(again, { to })).code).toBe(250)
    await again.close()
  })
})
