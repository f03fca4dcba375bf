import { capabilities } from './capabilities.ts'
import { linkableBy, linkableByServer, type WritingServer } from './capabilities/channels/rules/index.ts'
import { fetchableAt, previewsOf } from './capabilities/uploads/queries.ts'
import { userById } from './capabilities/users/queries/index.ts'
import type { TransactionDb } from './kernel/transaction.ts'
import { LoadedOrganizationState } from './platform/log/organization-state.ts'
import type { MarkdownContext } from './platform/markdown/job.ts'
import { renderDescription, renderMessage } from './platform/markdown/render.ts'
import type { RenderText } from './platform/moving/arriving.ts'
import { inOrder } from './platform/moving/carried.ts'
import { PROJECTIONS } from './start.ts'

export const CARRIED_TABLES = inOrder(capabilities.flatMap(({ carried }) => carried))

/**
 * Not exported, with a note for the operator if an action is needed. Undefined for data in transit, the state of a
 * running server, and counters of attempts.
 */
export const STAYING_TABLES: Readonly<Record<string, string | undefined>> = {
  organizations: undefined,
  events: undefined,
  consumers: undefined,
  queues: undefined,
  sent_local_ids: undefined,
  send_keys: undefined,
  failed_attempts: undefined,
  imports: undefined,
  imported_topics: undefined,
  topic_words: undefined,
  upload_spaces: undefined,
  outgoing_mails: undefined,
  missed_messages: undefined,
  late_mentions: undefined,
  digest_weeks: undefined,
  digest_readers: undefined,
  newcomers: undefined,
  registrations: undefined,
  invitation_mails: undefined,
  inviter_mails: undefined,
  account_links: undefined,
  password_requests: undefined,
  openid_attempts: undefined,
  passkey_challenges: undefined,
  pending_logins: undefined,
  recovery_codes: undefined,
  login_links: undefined,
  known_devices: undefined,
  push_notifications: undefined,
  web_push_keys: undefined,
  client_devices: undefined,
  outgoing_webhook_deliveries: undefined,
  outgoing_webhook_failures: undefined,
  link_preview_messages: undefined,
  confirmed_addresses: 'email address confirmations: the first sign-in with an identity provider ends other access',
  sessions: 'browser sessions: people sign in again',
  api_tokens: 'API tokens: their owners create new ones',
  passkeys: 'passkeys, which are bound to the address of the server: people create new ones',
  second_factors: 'second factors, which only this server can check: people set them up again',
  invitations: 'invitations, whose links lead to this server: invite people again',
  channel_addresses: 'email addresses of channels: people request new ones',
  push_subscriptions: 'browsers with push notifications: people allow them again',
  push_tokens: 'phones with push notifications: they register again',
  data_exports: 'data exports: their files stay on this server',
  link_previews: 'link previews: messages appear without them',
}

const findNothing = (): undefined => undefined
/** For texts that cannot refer to anything. */
const NOTHING_NAMED: MarkdownContext = {
  userByName: findNothing,
  userById: findNothing,
  groupByName: findNothing,
  channelByName: findNothing,
  channelById: findNothing,
  realmEmoji: findNothing,
  linkifiers: [],
  baseUrl: '',
}

/** Creates a renderer that knows the data imported so far. */
export async function importRenderer(
  db: TransactionDb,
  organizationId: number,
  server: WritingServer,
): Promise<RenderText> {
  const [settings] = await db.rows('', 'select from organization_settings where organization_id = $1', [organizationId])
  // The organization's description is imported first, when no other data exists.
  if (settings === undefined) return async (_as, text) => renderDescription(text, NOTHING_NAMED)
  const organization = await LoadedOrganizationState.load(
    { snapshot: async (read) => read(db) },
    organizationId,
    PROJECTIONS,
  )
  return async (as, text, userId) => {
    const user = userId === undefined ? undefined : userById(organization, userId)
    if (as === 'description' || user === undefined)
      return renderDescription(text, linkableByServer(organization, server))
    const author = { userId: user.id, role: user.role }
    const { html } = await renderMessage(text, {
      ...linkableBy(organization, author, server),
      uploadPreviews: async (paths) => previewsOf(await fetchableAt(db, organization, author, paths)),
    })
    return html
  }
}
