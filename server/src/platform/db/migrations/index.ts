import { sql as beginning } from './2026-11-21-beginning.ts'
import { sql as navigationViews } from './2026-11-21-navigation-views.ts'
import { sql as playgrounds } from './2026-11-21-playgrounds.ts'
import { sql as channelFolders } from './2026-11-21-channel-folders.ts'
import { sql as drafts } from './2026-11-21-drafts.ts'
import { sql as alertWords } from './2026-11-21-alert-words.ts'
import { sql as mutedUsers } from './2026-11-21-muted-users.ts'
import { sql as reactions } from './2026-11-21-reactions.ts'
import { sql as savedSnippets } from './2026-11-21-saved-snippets.ts'
import { sql as userGroups } from './2026-11-22-user-groups.ts'
import { sql as presences } from './2026-11-22-presences.ts'
import { sql as reminders } from './2026-11-22-reminders.ts'
import { sql as scheduledMessages } from './2026-11-22-scheduled-messages.ts'
import { sql as userTopics } from './2026-11-21-user-topics.ts'
import { sql as notificationBot } from './2026-11-22-notification-bot.ts'
import { sql as mentions } from './2026-11-22-mentions.ts'
import { sql as profileFields } from './2026-11-22-profile-fields.ts'
import { sql as userStatuses } from './2026-11-22-user-statuses.ts'
import { sql as settings } from './2026-11-22-settings.ts'
import { sql as linkifiers } from './2026-11-22-linkifiers.ts'
import { sql as messageEdits } from './2026-11-22-message-edits.ts'
import { sql as pictures } from './2026-11-22-pictures.ts'
import { sql as uploads } from './2026-11-22-uploads.ts'
import { sql as search } from './2026-11-22-search.ts'
import { sql as cheapFlags } from './2026-11-22-cheap-flags.ts'
import { sql as cheapSends } from './2026-11-22-cheap-sends.ts'
import { sql as channelLife } from './2026-11-22-channel-life.ts'
import { sql as botStorage } from './2026-11-22-bot-storage.ts'
import { sql as bots } from './2026-11-22-bots.ts'
import { sql as queueLifespans } from './2026-11-22-queue-lifespans.ts'
import { sql as organizationPictures } from './2026-11-22-organization-pictures.ts'
import { sql as searchEstimates } from './2026-11-22-search-estimates.ts'
import { sql as deactivationComments } from './2026-11-23-deactivation-comments.ts'
import { sql as emailDomains } from './2026-11-22-email-domains.ts'
import { sql as topicWords } from './2026-11-22-topic-words.ts'
import { sql as messageWords } from './2026-11-22-message-words.ts'
import { sql as newcomers } from './2026-11-22-newcomers.ts'
import { sql as topicEras } from './2026-11-22-topic-eras.ts'
import { sql as botChannels } from './2026-11-22-bot-channels.ts'
import { sql as topicSpellings } from './2026-11-22-topic-spellings.ts'
import { sql as userActivity } from './2026-11-22-user-activity.ts'
import { sql as submessages } from './2026-11-22-submessages.ts'
import { sql as topicKeyWords } from './2026-11-22-topic-key-words.ts'
import { sql as botsBelowOwners } from './2026-11-23-bots-below-owners.ts'
import { sql as consumers } from './2026-11-23-consumers.ts'
import { sql as boundedPasts } from './2026-11-23-bounded-pasts.ts'
import { sql as queuesByUser } from './2026-11-23-queues-by-user.ts'
import { sql as databasePlace } from './2026-11-23-database-place.ts'

/** Every migration, oldest first. Forward only; each must be safe while the previous version still serves. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '2026-11-21-beginning', sql: beginning },
  { name: '2026-11-21-saved-snippets', sql: savedSnippets },
  { name: '2026-11-21-navigation-views', sql: navigationViews },
  { name: '2026-11-21-playgrounds', sql: playgrounds },
  { name: '2026-11-21-channel-folders', sql: channelFolders },
  { name: '2026-11-21-drafts', sql: drafts },
  { name: '2026-11-21-alert-words', sql: alertWords },
  { name: '2026-11-21-muted-users', sql: mutedUsers },
  { name: '2026-11-21-reactions', sql: reactions },
  { name: '2026-11-21-user-topics', sql: userTopics },
  { name: '2026-11-22-notification-bot', sql: notificationBot },
  { name: '2026-11-22-mentions', sql: mentions },
  { name: '2026-11-22-user-groups', sql: userGroups },
  { name: '2026-11-22-scheduled-messages', sql: scheduledMessages },
  { name: '2026-11-22-settings', sql: settings },
  { name: '2026-11-22-profile-fields', sql: profileFields },
  { name: '2026-11-22-linkifiers', sql: linkifiers },
  { name: '2026-11-22-message-edits', sql: messageEdits },
  { name: '2026-11-22-presences', sql: presences },
  { name: '2026-11-22-channel-life', sql: channelLife },
  { name: '2026-11-22-pictures', sql: pictures },
  { name: '2026-11-22-uploads', sql: uploads },
  { name: '2026-11-22-reminders', sql: reminders },
  { name: '2026-11-22-search', sql: search },
  { name: '2026-11-22-bots', sql: bots },
  { name: '2026-11-22-queue-lifespans', sql: queueLifespans },
  { name: '2026-11-22-user-statuses', sql: userStatuses },
  { name: '2026-11-22-organization-pictures', sql: organizationPictures },
  { name: '2026-11-22-cheap-sends', sql: cheapSends },
  { name: '2026-11-22-search-estimates', sql: searchEstimates },
  { name: '2026-11-22-email-domains', sql: emailDomains },
  { name: '2026-11-22-topic-words', sql: topicWords },
  { name: '2026-11-22-message-words', sql: messageWords },
  { name: '2026-11-22-newcomers', sql: newcomers },
  { name: '2026-11-22-topic-eras', sql: topicEras },
  { name: '2026-11-22-bot-channels', sql: botChannels },
  { name: '2026-11-22-topic-spellings', sql: topicSpellings },
  { name: '2026-11-22-bot-storage', sql: botStorage },
  { name: '2026-11-22-user-activity', sql: userActivity },
  { name: '2026-11-22-submessages', sql: submessages },
  { name: '2026-11-22-topic-key-words', sql: topicKeyWords },
  { name: '2026-11-22-cheap-flags', sql: cheapFlags },
  { name: '2026-11-23-bots-below-owners', sql: botsBelowOwners },
  { name: '2026-11-23-database-place', sql: databasePlace },
  { name: '2026-11-23-deactivation-comments', sql: deactivationComments },
  { name: '2026-11-23-queues-by-user', sql: queuesByUser },
  { name: '2026-11-23-bounded-pasts', sql: boundedPasts },
  { name: '2026-11-23-consumers', sql: consumers },
]
