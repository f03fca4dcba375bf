import { capability, command, open, query } from '../../platform/capability.ts'
import {
  createInviteLink,
  getInviteLink,
  getInvites,
  newInvitationToken,
  prepareInvites,
  reportFailedInvitations,
  resendEmailInvite,
  revokeEmailInvite,
  revokeInviteLink,
  sendInvites,
} from './actions/invites.ts'
import { join, getInvitation, getJoinOrganization, requestRegistration } from './actions/joining.ts'
import {
  checkRegistrationLink,
  getRegistrations,
  makeRegistrationLink,
  showRegistrationLink,
} from './actions/registrations.ts'
import * as contract from './contract.ts'
import { deleteExpiredInvitations } from './jobs.ts'
import { getInviteTerms } from './queries.ts'
import { migrations } from './tables.ts'

export const invitations = capability({
  name: 'invitations',
  tables: ['invitations', 'registrations', 'invitation_mails', 'inviter_mails'],
  migrations,
  omitted: {
    registrations: null,
    invitation_mails: null,
    inviter_mails: null,
    invitations: 'invitations, whose links lead to this server: invite people again',
  },
  limits: [
    contract.INVITATION_LIMIT,
    contract.INVITATION_MAIL_LIMIT,
    contract.INVITER_MAIL_LIMIT,
    contract.REGISTRATION_LIMIT,
  ],
  routes: [
    query(contract.getInvites, getInvites),
    query(contract.getInviteTerms, getInviteTerms),
    command(contract.sendInvites, sendInvites, { prepare: prepareInvites, finish: reportFailedInvitations }),
    command(contract.createInviteLink, createInviteLink, { prepare: newInvitationToken }),
    command(contract.revokeEmailInvite, revokeEmailInvite),
    command(contract.revokeInviteLink, revokeInviteLink),
    command(contract.resendEmailInvite, resendEmailInvite),
    query(contract.getInviteLink, getInviteLink),
    open(contract.getJoinOrganization, getJoinOrganization),
    open(contract.getInvitation, getInvitation),
    open(contract.join, join),
    open(contract.requestRegistration, requestRegistration),
    query(contract.getRegistrations, getRegistrations),
    command(contract.makeRegistrationLink, makeRegistrationLink, {
      prepare: checkRegistrationLink,
      finish: showRegistrationLink,
    }),
  ],
  events: [
    { event: contract.invitesChanged },
    // Anyone can ask to join; only joining itself is audited.
    { event: contract.registrationAdded, administration: false },
    { event: contract.registrationRemoved, administration: false },
  ],
  jobs: [deleteExpiredInvitations],
})
