import { truncateTopic } from '../../capabilities/channels/rules/topics.ts'
import { caseKey } from '../../kernel/case-key.ts'
import type { Conversion } from '../convert.ts'
import { cleanLine } from '../texts.ts'
import type { ZulipContext } from './channels.ts'
import {
  readRows,
  zulipAlertWord,
  zulipLinkifier,
  zulipMutedUser,
  zulipPlayground,
  zulipUserTopic,
  type ZulipTables,
} from './records.ts'

const TABLES_LEFT_OUT: readonly (readonly [table: keyof ZulipTables, what: string])[] = [
  ['zerver_realmauthenticationmethod', 'sign-in methods: set them in the server settings'],
  ['zerver_draft', 'drafts'],
  ['zerver_scheduledmessage', 'scheduled messages and reminders'],
  ['zerver_submessage', 'polls and to-do lists'],
  ['zerver_userstatus', 'user statuses'],
  ['zerver_multiuseinvite', 'invitation links'],
  ['zerver_preregistrationuser', 'invitations'],
]

export async function readSettings(
  tables: ZulipTables,
  { accounts, channels }: ZulipContext,
  { organization, leftOut }: Conversion,
): Promise<void> {
  for (const row of readRows('zerver_usertopic', tables.zerver_usertopic, zulipUserTopic, leftOut)) {
    const [account, channel] = [accounts.get(row.user_profile), channels.get(row.stream)]
    if (account === undefined || channel === undefined) continue
    await organization.addRecord('user_topics', {
      user_id: account.id,
      channel_id: channel.id,
      topic_name: truncateTopic(cleanLine(row.topic_name)),
      visibility_policy: row.visibility_policy,
      last_updated: Math.floor(row.last_updated ?? 0),
    })
  }
  for (const row of readRows('zerver_muteduser', tables.zerver_muteduser, zulipMutedUser, leftOut)) {
    const [account, muted] = [accounts.get(row.user_profile), accounts.get(row.muted_user)]
    if (account === undefined || muted === undefined) continue
    await organization.addRecord('muted_users', {
      user_id: account.id,
      muted_user_id: muted.id,
      date_muted: Math.floor(row.date_muted ?? 0),
      id: organization.next(),
    })
  }
  const linkifiers = readRows('zerver_realmfilter', tables.zerver_realmfilter, zulipLinkifier, leftOut)
  for (const [position, { pattern, url_template: template }] of linkifiers
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .entries()) {
    await organization.addRecord('realm_linkifiers', {
      id: organization.next(),
      pattern,
      url_template: template ?? '',
      position,
    })
  }
  await readAlertWords(tables, accounts, { organization, leftOut })
  const playgrounds = readRows('zerver_realmplayground', tables.zerver_realmplayground, zulipPlayground, leftOut)
  for (const { pygments_language: highlighter_language, ...playground } of playgrounds) {
    await organization.addRecord('realm_playgrounds', { id: organization.next(), ...playground, highlighter_language })
  }
  for (const [table, what] of TABLES_LEFT_OUT) {
    const count = tables[table]?.length ?? 0
    if (count > 0) leftOut.add(what, undefined, count)
  }
}

async function readAlertWords(
  tables: ZulipTables,
  accounts: ZulipContext['accounts'],
  { organization, leftOut }: Pick<Conversion, 'organization' | 'leftOut'>,
): Promise<void> {
  const known = new Set<string>()
  for (const { user_profile: user, word } of readRows(
    'zerver_alertword',
    tables.zerver_alertword,
    zulipAlertWord,
    leftOut,
  )) {
    const account = accounts.get(user)
    if (account === undefined || known.has(`${user} ${caseKey(word)}`)) continue
    known.add(`${user} ${caseKey(word)}`)
    await organization.addRecord('alert_words', { id: organization.next(), user_id: account.id, word })
  }
}
