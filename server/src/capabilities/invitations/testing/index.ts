import { randomUUID } from 'node:crypto'
import { type CapabilitySamples, SECRET, TIME } from '../../../testing/capability-samples.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import type { Body, TestUser } from '../../../testing/user.ts'
import { callFromBrowser, join } from './joining.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly invite_id: number
  }
}

export const samples: CapabilitySamples = {
  async makeOwn(user) {
    // Guests cannot invite.
    await user.try('POST', '/invites', { invitee_emails: `${randomUUID()}@example.com`, stream_ids: [] })
    const invites = await listInvitesOf(user)
    const [own] = invites.filter(({ invited_by_user_id }) => invited_by_user_id === user.id)
    return own === undefined ? {} : { invite_id: Number(own['id']) }
  },
  inputs: {
    sendInvites: () => ({ invitee_emails: `${randomUUID()}@example.com` }),
    requestRegistration: () => ({ email: `${randomUUID()}@example.com` }),
  },
  names: {
    invite_id: 'invitation',
    stream_ids: 'channel',
    group_ids: 'group',
    default_channel_group_ids: 'default channel group',
  },
  namesNothing: {
    invitee_emails: 'only people who see an account learn that its address is taken: see invites.test.ts',
    invite_expires_in_minutes: TIME,
    'join.email': 'the response is the same for addresses with an account: see joining.test.ts',
    'requestRegistration.email': 'the response is the same for every address: see joining.test.ts',
    'requestRegistration.proof': SECRET,
    'requestRegistration.token': SECRET,
    'makeRegistrationLink.email': 'the response is the same for addresses with an account: see registrations.test.ts',
  },
  // Administrators see other people's invitations.
  hidden: { invitation: { sample: 'invite_id', of: 'another organization' } },
}

async function listInvitesOf(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/invites'))['invites']
}

const OPEN_ORGANIZATION_SETTINGS = { invite_required: false, emails_restricted_to_domains: false }

export const steps: CapabilitySteps = {
  steps: {
    invite: async ({ actor, what }) =>
      actor.try('POST', '/invites', { invitee_emails: `guest${what}@example.com`, stream_ids: [], invite_as: 600 }),
    'make invite link': async ({ actor }) => actor.try('POST', '/invites/multiuse', { stream_ids: [] }),
    'take back invitation': async ({ actor, what }) => {
      const { body } = await actor.try('GET', '/invites')
      const invites = body['invites'] ?? []
      const invite = invites[what % Math.max(1, invites.length)]
      return actor.try('DELETE', `/invites/${invite?.is_multiuse === true ? 'multiuse/' : ''}${invite?.id ?? 999_999}`)
    },
    'ask for a link to join': async ({ actor, what, more }) => {
      if (more % 2 === 0) await actor.try('PATCH', '/realm', OPEN_ORGANIZATION_SETTINGS)
      return callFromBrowser(actor, '/registrations', { email: `newcomer${what % 5}@example.com` })
    },
    'join with a link': async ({ actor, what, more }) => {
      const email = `newcomer${what}@example.com`
      // Joining removes the waiting registration.
      if (more % 2 === 0) {
        await actor.try('PATCH', '/realm', OPEN_ORGANIZATION_SETTINGS)
        await callFromBrowser(actor, '/registrations', { email })
      }
      const { body } = await actor.try('POST', '/registrations/link', { email })
      return join(actor, String(body['registration_link']).split('#')[1] ?? '', { full_name: `Newcomer ${what}` })
    },
  },
}
