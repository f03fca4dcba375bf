import { capability, command, direct, open } from '../../platform/capability.ts'
import {
  createInviteLink,
  getInviteLink,
  resendEmailInvite,
  revokeEmailInvite,
  revokeInviteLink,
  sendInvites,
} from './actions/invites.ts'
import { join, lookAtInvitation, lookAtOrganization, requestRegistration } from './actions/joining.ts'
import { getRegistrations, makeRegistrationLink } from './actions/registrations.ts'
import * as contract from './contract.ts'
import { forgetInvitations } from './jobs.ts'
import { getInvites, getInviteTerms } from './queries.ts'
import { migrations } from './tables.ts'

export const invitations = capability({
  name: 'invitations',
  tables: ['invitations', 'registrations', 'invitation_mails', 'inviter_mails'],
  migrations,
  limits: [
    contract.INVITATION_LIMIT,
    contract.INVITATION_MAIL_LIMIT,
    contract.INVITER_MAIL_LIMIT,
    contract.REGISTRATION_LIMIT,
  ],
  routes: [
    direct(contract.getInvites, getInvites),
    direct(contract.getInviteTerms, getInviteTerms),
    direct(contract.sendInvites, sendInvites),
    direct(contract.createInviteLink, createInviteLink),
    command(contract.revokeEmailInvite, revokeEmailInvite),
    command(contract.revokeInviteLink, revokeInviteLink),
    command(contract.resendEmailInvite, resendEmailInvite),
    direct(contract.getInviteLink, getInviteLink),
    open(contract.lookAtOrganization, lookAtOrganization),
    open(contract.lookAtInvitation, lookAtInvitation),
    open(contract.join, join),
    open(contract.requestRegistration, requestRegistration),
    direct(contract.getRegistrations, getRegistrations),
    direct(contract.makeRegistrationLink, makeRegistrationLink),
  ],
  events: [
    { event: contract.invitesChanged },
    { event: contract.registrationAdded },
    { event: contract.registrationRemoved },
  ],
  jobs: [forgetInvitations],
})
