import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { expectFull } from '../../testing/full.ts'
import { INVITATION_LIMIT, INVITATION_MAIL_LIMIT, INVITER_MAIL_LIMIT, MAX_INVITATION_MINUTES } from './contract.ts'
import {
  createChannel,
  SUCCESS,
  createGroup,
  invitationIdFor,
  invite,
  listInvites,
  createLink,
  badRequest,
} from './testing/inviting.ts'
import { newAddress } from './testing/joining.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
let organization: TestOrganization
let owner: TestUser
let member: TestUser
let guest: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme')
  owner = organization.owner
  member = await organization.user('Mia Member')
  guest = await organization.user('Gus Guest', { role: ROLE.guest })
})

describe('permission to invite', () => {
  it('refuses invitations by guests and bots', async () => {
    const bot = await organization.user('Bert Bot', { bot: { ownerId: owner.id } })
    for (const user of [guest, bot]) {
      expect(await invite(user, newAddress())).toMatchObject(badRequest('Insufficient permission'))
      expect(await createLink(user)).toMatchObject(badRequest('Insufficient permission'))
    }
  })

  it('lets only permitted people create invitations and invite links', async () => {
    const { owner: boss, user } = await server().organization()
    const mia = await user('Mia')
    expect(await createLink(mia)).toMatchObject(badRequest('Insufficient permission'))
    const only = { direct_members: [mia.id], direct_subgroups: [] }
    await boss.call('PATCH', '/realm', { create_multiuse_invite_group: { new: only } })
    expect(await createLink(mia)).toMatchObject(SUCCESS)
    await boss.call('PATCH', '/realm', {
      can_invite_users_group: { new: { direct_members: [boss.id], direct_subgroups: [] } },
    })
    expect(await invite(mia, newAddress())).toMatchObject(badRequest('Insufficient permission'))
    // The permission is checked before any response depends on the addresses.
    expect(await invite(mia, boss.email)).toMatchObject(badRequest('Insufficient permission'))
    expect(await invite(boss, newAddress())).toMatchObject(SUCCESS)
  })

  it("refuses invitations to a role above the inviter's", async () => {
    const administrator = await organization.user('Alma Admin', { role: ROLE.administrator })
    const moderator = await organization.user('Mo Moderator', { role: ROLE.moderator })
    const roles = [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.guest]
    const granted = async (user: TestUser): Promise<number[]> => {
      const answers = await Promise.all(
        roles.map(async (invite_as) => [invite_as, (await invite(user, newAddress(), { invite_as })).status] as const),
      )
      return answers.filter(([, status]) => status === 200).map(([role]) => role)
    }
    expect(await granted(owner)).toEqual(roles)
    expect(await granted(administrator)).toEqual(roles.slice(1))
    expect(await granted(moderator)).toEqual(roles.slice(2))
    expect(await granted(member)).toEqual(roles.slice(3))
    expect(await createLink(administrator, { invite_as: ROLE.owner })).toMatchObject(
      badRequest('Must be an organization owner'),
    )
    for (const invite_as of [0, 150, -1, '100.5', 'owner']) {
      expect((await invite(owner, newAddress(), { invite_as })).body['code']).toBe('REQUEST_VARIABLE_INVALID')
    }
  })

  it('adds invited people only to channels and groups where the inviter can add people', async () => {
    const open = await createChannel(owner, 'open')
    const secret = await createChannel(owner, 'secret', { invite_only: true })
    const mine = await createChannel(member, 'mine', { invite_only: true })
    const closed = await createChannel(owner, 'closed')
    await owner.call('DELETE', `/streams/${closed}`)
    expect(await invite(member, newAddress(), { stream_ids: [open, mine] })).toMatchObject(SUCCESS)
    for (const id of [secret, closed, 999_999, -1]) {
      expect(await invite(member, newAddress(), { stream_ids: [open, id] })).toMatchObject(
        badRequest(`Invalid channel ID ${id}. No invitations were sent.`),
      )
    }
    await owner.call('PATCH', '/realm', {
      can_add_subscribers_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    })
    expect(await invite(member, newAddress(), { stream_ids: [open] })).toMatchObject(
      badRequest('You do not have permission to subscribe other users to channels.'),
    )
    const [theirs, own] = [await createGroup(owner, 'theirs'), await createGroup(member, 'own')]
    const groups = (await owner.call('GET', '/user_groups'))['user_groups']
    const owners = groups.find(({ name }) => name === 'role:owners')?.id ?? 0
    expect(await invite(member, newAddress(), { group_ids: [own] })).toMatchObject(SUCCESS)
    expect(await invite(member, newAddress(), { group_ids: [theirs] })).toMatchObject(
      badRequest('Insufficient permission'),
    )
    for (const id of [owners, 999_999]) {
      expect(await invite(owner, newAddress(), { group_ids: [id] })).toMatchObject(
        badRequest(`Invalid user group ID: ${id}`),
      )
    }
  })

  it('lets only administrators set the welcome message of an invitation', async () => {
    const more = { welcome_message_custom_text: 'Pay here' }
    expect(await invite(member, newAddress(), more)).toMatchObject(badRequest('Must be an organization administrator'))
    expect(await invite(owner, newAddress(), more)).toMatchObject(SUCCESS)
  })

  it('limits how long an invitation is valid', async () => {
    for (const minutes of [0, -1, MAX_INVITATION_MINUTES + 1, 1.5, 'soon']) {
      const { body } = await invite(member, newAddress(), { invite_expires_in_minutes: minutes })
      expect(body['code']).toBe('REQUEST_VARIABLE_INVALID')
    }
    expect(await invite(member, newAddress(), { invite_expires_in_minutes: MAX_INVITATION_MINUTES })).toMatchObject(
      SUCCESS,
    )
  })
})

describe('invitation limits', () => {
  it('sends none of the invitations in a request that exceeds the daily limit', async () => {
    const { id, owner: boss } = await server().organization()
    await server().parley.database.pool.query(
      'insert into invitation_mails values ($1, floor(extract(epoch from now()) / 86400), $2)',
      [id, INVITATION_MAIL_LIMIT.most - 1],
    )
    const [one, two] = [newAddress(), newAddress()]
    const { body } = await invite(boss, `${one},${two}`)
    expect(body).toMatchObject({
      code: 'INVITATION_FAILED',
      daily_limit_reached: true,
      sent_invitations: false,
      errors: [],
    })
    expect(await listInvites(boss)).toEqual([])
    expect(await invite(boss, one)).toMatchObject(SUCCESS)
    const again = await boss.try('POST', `/invites/${await invitationIdFor(boss, one)}/resend`)
    expect(again.body).toMatchObject({ code: 'INVITATION_FAILED', daily_limit_reached: true })
    await mails.next(one)
    expect(mails.received(two)).toEqual([])
  })

  it("limits a member's daily invitations, leaving some for other members", async () => {
    const { id, owner: boss, user } = await server().organization()
    const [mia, max] = [await user('Mia Many'), await user('Max')]
    const day = 'floor(extract(epoch from now()) / 86400)'
    await server().parley.database.pool.query(`insert into inviter_mails values ($1, $2, ${day}, $3)`, [
      id,
      mia.id,
      INVITER_MAIL_LIMIT.most - 1,
    ])
    const last = newAddress()
    expect(await invite(mia, `${newAddress()},${last}`)).toMatchObject({
      status: 400,
      body: { code: 'INVITATION_FAILED', daily_limit_reached: true, sent_invitations: false },
    })
    expect(await invite(mia, last)).toMatchObject(SUCCESS)
    const again = await mia.try('POST', `/invites/${await invitationIdFor(mia, last)}/resend`)
    expect(again.body).toMatchObject({ code: 'INVITATION_FAILED', daily_limit_reached: true })
    expect(await invite(max, newAddress())).toMatchObject(SUCCESS)
    await server().parley.database.pool.query(`insert into inviter_mails values ($1, $2, ${day}, $3)`, [
      id,
      boss.id,
      INVITER_MAIL_LIMIT.most,
    ])
    expect(await invite(boss, newAddress())).toMatchObject(SUCCESS)
  })

  it('refuses more active invitations than the limit', async () => {
    await expectFull(INVITATION_LIMIT, {
      fill: [
        `insert into invitations (organization_id, id, invited_by, role, channel_ids, group_ids, includes_default_channels,
           notifies_inviter, invited_at, seed, digest)
         select $1, 1000000 + n, $2, 400, '{}', '{}', false, false, 0, '', int8send(n) from generate_series(1, $3::int) n`,
      ],
      make: async (boss) => createLink(boss),
      refusal: 'You can have at most 5000 active invitations.',
    })
  })
})
