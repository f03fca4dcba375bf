import { accountLinks } from './capabilities/account-links/index.ts'
import { alertWords } from './capabilities/alert-words/index.ts'
import { apiTokens } from './capabilities/api-tokens/index.ts'
import { auditLog } from './capabilities/audit-log/index.ts'
import { authentication } from './capabilities/authentication/index.ts'
import { bans } from './capabilities/bans/index.ts'
import { botCommands } from './capabilities/bot-commands/index.ts'
import { bots } from './capabilities/bots/index.ts'
import { calls } from './capabilities/calls/index.ts'
import { channelFolders } from './capabilities/channel-folders/index.ts'
import { channels } from './capabilities/channels/index.ts'
import { community } from './capabilities/community/index.ts'
import { customEmoji } from './capabilities/custom-emoji/index.ts'
import { dataExports } from './capabilities/data-exports/index.ts'
import { defaultChannelGroups } from './capabilities/default-channel-groups/index.ts'
import { digests } from './capabilities/digests/index.ts'
import { drafts } from './capabilities/drafts/index.ts'
import { flags } from './capabilities/flags/index.ts'
import { groups } from './capabilities/groups/index.ts'
import { heldMessages } from './capabilities/held-messages/index.ts'
import { history } from './capabilities/history/index.ts'
import { incomingMail } from './capabilities/incoming-mail/index.ts'
import { invitations } from './capabilities/invitations/index.ts'
import { integrations } from './capabilities/integrations/index.ts'
import { linkPreviews } from './capabilities/link-previews/index.ts'
import { linkifiers } from './capabilities/linkifiers/index.ts'
import { mail } from './capabilities/mail/index.ts'
import { mcp } from './capabilities/mcp/index.ts'
import { messageEdits } from './capabilities/message-edits/index.ts'
import { messages } from './capabilities/messages/index.ts'
import { missedMessages } from './capabilities/missed-messages/index.ts'
import { mutedUsers } from './capabilities/muted-users/index.ts'
import { navigationViews } from './capabilities/navigation-views/index.ts'
import { newcomers } from './capabilities/newcomers/index.ts'
import { onboarding } from './capabilities/onboarding/index.ts'
import { openidConnect } from './capabilities/openid-connect/index.ts'
import { organizations } from './capabilities/organizations/index.ts'
import { outgoingWebhooks } from './capabilities/outgoing-webhooks/index.ts'
import { passkeys } from './capabilities/passkeys/index.ts'
import { pins } from './capabilities/pins/index.ts'
import { playgrounds } from './capabilities/playgrounds/index.ts'
import { preferences } from './capabilities/preferences/index.ts'
import { presence } from './capabilities/presence/index.ts'
import { publicPages } from './capabilities/public-pages/index.ts'
import { push } from './capabilities/push/index.ts'
import { queues } from './capabilities/queues/index.ts'
import { reactions } from './capabilities/reactions/index.ts'
import { recent } from './capabilities/recent/index.ts'
import { registrationChallenges } from './capabilities/registration-challenges/index.ts'
import { reminders } from './capabilities/reminders/index.ts'
import { reports } from './capabilities/reports/index.ts'
import { retention } from './capabilities/retention/index.ts'
import { scheduledMessages } from './capabilities/scheduled-messages/index.ts'
import { secondFactors } from './capabilities/second-factors/index.ts'
import { serverHealth } from './capabilities/server-health/index.ts'
import { sessions } from './capabilities/sessions/index.ts'
import { setup } from './capabilities/setup/index.ts'
import { snippets } from './capabilities/snippets/index.ts'
import { statistics } from './capabilities/statistics/index.ts'
import { typing } from './capabilities/typing/index.ts'
import { uploads } from './capabilities/uploads/index.ts'
import { userTopics } from './capabilities/user-topics/index.ts'
import { users } from './capabilities/users/index.ts'
import { webPush } from './capabilities/web-push/index.ts'

/** Contracts, tables, rules, and queries import only those of capabilities above theirs; other files import any. */
export const capabilities = [
  groups,
  organizations,
  mail,
  users,
  sessions,
  apiTokens,
  authentication,
  customEmoji,
  linkifiers,
  presence,
  channels,
  channelFolders,
  defaultChannelGroups,
  bots,
  botCommands,
  alertWords,
  mutedUsers,
  userTopics,
  community,
  heldMessages,
  messages,
  flags,
  uploads,
  reactions,
  pins,
  linkPreviews,
  messageEdits,
  history,
  recent,
  drafts,
  snippets,
  preferences,
  navigationViews,
  playgrounds,
  onboarding,
  calls,
  push,
  missedMessages,
  webPush,
  digests,
  newcomers,
  registrationChallenges,
  invitations,
  accountLinks,
  openidConnect,
  setup,
  passkeys,
  secondFactors,
  reports,
  bans,
  scheduledMessages,
  reminders,
  outgoingWebhooks,
  integrations,
  incomingMail,
  typing,
  retention,
  publicPages,
  dataExports,
  auditLog,
  statistics,
  serverHealth,
  mcp,
  queues,
]
