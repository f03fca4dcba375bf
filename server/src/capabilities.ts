import { accounts } from './capabilities/accounts/index.ts'
import { activity } from './capabilities/activity/index.ts'
import { alertWords } from './capabilities/alert-words/index.ts'
import { authentication } from './capabilities/authentication/index.ts'
import { avatars } from './capabilities/avatars/index.ts'
import { botStorage } from './capabilities/bot-storage/index.ts'
import { bots } from './capabilities/bots/index.ts'
import { channelFolders } from './capabilities/channel-folders/index.ts'
import { channelNotices } from './capabilities/channel-notices/index.ts'
import { channels } from './capabilities/channels/index.ts'
import { customEmoji } from './capabilities/custom-emoji/index.ts'
import { drafts } from './capabilities/drafts/index.ts'
import { emailDomains } from './capabilities/email-domains/index.ts'
import { flags } from './capabilities/flags/index.ts'
import { groups } from './capabilities/groups/index.ts'
import { history } from './capabilities/history/index.ts'
import { linkifiers } from './capabilities/linkifiers/index.ts'
import { memberships } from './capabilities/memberships/index.ts'
import { messageEdits } from './capabilities/message-edits/index.ts'
import { messages } from './capabilities/messages/index.ts'
import { mutedUsers } from './capabilities/muted-users/index.ts'
import { muting } from './capabilities/muting/index.ts'
import { narrow } from './capabilities/narrow/index.ts'
import { navigationViews } from './capabilities/navigation-views/index.ts'
import { newcomers } from './capabilities/newcomers/index.ts'
import { organizationPictures } from './capabilities/organization-pictures/index.ts'
import { organizations } from './capabilities/organizations/index.ts'
import { playgrounds } from './capabilities/playgrounds/index.ts'
import { presence } from './capabilities/presence/index.ts'
import { queues } from './capabilities/queues/index.ts'
import { reactions } from './capabilities/reactions/index.ts'
import { reminders } from './capabilities/reminders/index.ts'
import { reports } from './capabilities/reports/index.ts'
import { retention } from './capabilities/retention/index.ts'
import { scheduledMessages } from './capabilities/scheduled-messages/index.ts'
import { settings } from './capabilities/settings/index.ts'
import { snippets } from './capabilities/snippets/index.ts'
import { typing } from './capabilities/typing/index.ts'
import { unread } from './capabilities/unread/index.ts'
import { uploads } from './capabilities/uploads/index.ts'
import { userStatus } from './capabilities/user-status/index.ts'
import { userTopics } from './capabilities/user-topics/index.ts'
import { users } from './capabilities/users/index.ts'
import { spectators } from './capabilities/spectators/index.ts'

/** THE LIST, lowest first: a capability may import only those above it. */
export const capabilities = [
  groups,
  organizations,
  users,
  activity,
  avatars,
  organizationPictures,
  customEmoji,
  authentication,
  linkifiers,
  channels,
  channelFolders,
  emailDomains,
  accounts,
  bots,
  botStorage,
  memberships,
  settings,
  snippets,
  navigationViews,
  playgrounds,
  drafts,
  alertWords,
  mutedUsers,
  unread,
  userTopics,
  uploads,
  narrow,
  messages,
  channelNotices,
  newcomers,
  flags,
  muting,
  reactions,
  reports,
  userStatus,
  scheduledMessages,
  reminders,
  typing,
  messageEdits,
  retention,
  presence,
  history,
  spectators,
  queues,
]
