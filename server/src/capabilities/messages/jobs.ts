import type { Tx } from '../../kernel/transaction.ts'
import { binaryArray } from '../../platform/db/parameters.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { organizationsWithRowsSql } from '../../platform/jobs/pieces.ts'
import { SETTING_DEFAULTS } from '../organizations/queries/index.ts'
import { searchLanguagesOf } from '../organizations/queries/search-languages.ts'
import { indexText, insertWords } from './actions/terms.ts'
import { IDEMPOTENCY_KEY_SECONDS } from './contract/index.ts'

const CLEANUP_INTERVAL_SECONDS = 600
/** Limited, so that sends can run between transactions. */
const KEYS_PER_TRANSACTION = 2_000

export const deleteExpiredSendKeys: Job = {
  name: 'forgetSendKeys',
  everySeconds: CLEANUP_INTERVAL_SECONDS,
  due: async (db, now) =>
    db.rows(
      'expired_send_keys',
      `select organization_id as "organizationId", max(message_id) as id from (
         select organization_id, message_id from send_keys where sent_at < $1 order by sent_at
         limit ${KEYS_PER_TRANSACTION}
       ) oldest group by organization_id`,
      [now - IDEMPOTENCY_KEY_SECONDS],
    ),
  async run({ log }) {
    let forgotten: number
    do {
      forgotten = await log.write(async (tx) => {
        const rows = await tx.db.rows(
          'forget_send_keys',
          `delete from send_keys where (organization_id, user_id, key) in (
             select organization_id, user_id, key from send_keys where organization_id = $1 and sent_at < $2
             order by sent_at limit ${KEYS_PER_TRANSACTION}) returning 1`,
          [tx.organizationId, tx.now - IDEMPOTENCY_KEY_SECONDS],
        )
        return rows.length
      })
    } while (forgotten === KEYS_PER_TRANSACTION)
  },
}

/** Limited, so that sends can run between transactions. */
const TEXTS_PER_TRANSACTION = 200
const TRANSACTIONS_PER_RUN = 10
/** Limited, because each organization is loaded, and all can be due after an upgrade. */
const ORGANIZATIONS_PER_RUN = 4
const TOPICS_INTERVAL_SECONDS = 60
/** A search compares the names of a few new topics one by one. */
const MIN_TOPICS = 100

/** Indexes messages that were not sent here: imported ones, and those of older versions. */
export const indexMessages: Job = {
  name: 'indexMessages',
  everySeconds: 1,
  due: async (db) =>
    db.rows(
      'unindexed_messages',
      `${organizationsWithRowsSql('messages', 'terms is null')} limit ${ORGANIZATIONS_PER_RUN}`,
      [],
    ),
  run: async (context) => indexTexts(context, 'messages'),
}

export const indexTopics: Job = {
  name: 'indexTopics',
  everySeconds: TOPICS_INTERVAL_SECONDS,
  due: async (db) =>
    db.rows(
      'unindexed_topics',
      `${organizationsWithRowsSql('topic_words', 'terms is null')}
       and exists (select from topic_words w where w.organization_id = o.id and w.terms is null offset ${MIN_TOPICS})
       limit ${ORGANIZATIONS_PER_RUN}`,
      [],
    ),
  run: async (context) => indexTexts(context, 'topic_words'),
}

async function indexTexts({ log, closing }: JobContext, table: keyof typeof UNINDEXED_TEXTS): Promise<void> {
  for (let count = 0; count < TRANSACTIONS_PER_RUN && !closing.aborted; count += 1) {
    const indexed = await log.write(async (tx) => indexSomeTexts(tx, table))
    if (indexed < TEXTS_PER_TRANSACTION) return
  }
}

/** Newest first, because people search for those. */
const UNINDEXED_TEXTS = {
  topic_words: `
    select w.topic_id as id, t.name_key as text from topic_words w
    join topics t on t.organization_id = w.organization_id and t.id = w.topic_id
    where w.organization_id = $1 and w.terms is null order by w.topic_id desc limit ${TEXTS_PER_TRANSACTION}`,
  messages: `
    select id, content as text from messages
    where organization_id = $1 and terms is null order by id desc limit ${TEXTS_PER_TRANSACTION}`,
}

const STORE_TERMS = {
  topic_words: `
    update topic_words w set terms = given.terms from unnest($2::bigint[], $3::tsvector[]) as given(id, terms)
    where w.organization_id = $1 and w.topic_id = given.id`,
  messages: `
    update messages m set terms = given.terms from unnest($2::bigint[], $3::tsvector[]) as given(id, terms)
    where m.organization_id = $1 and m.id = given.id`,
}

async function indexSomeTexts(tx: Tx, table: keyof typeof UNINDEXED_TEXTS): Promise<number> {
  const texts = await tx.db.rows<{ id: number; text: string }>(`unindexed_${table}`, UNINDEXED_TEXTS[table], [
    tx.organizationId,
  ])
  if (texts.length === 0) return 0
  const indexed = texts.map(({ text }) => indexText(text))
  await insertWords(tx, [...new Set(indexed.flatMap(({ words }) => words))].toSorted())
  await tx.db.rows(`store_terms_${table}`, STORE_TERMS[table], [
    tx.organizationId,
    texts.map(({ id }) => id),
    binaryArray(
      'tsvector',
      indexed.map(({ vector }) => vector),
    ),
  ])
  return texts.length
}

const WORDS_PER_TRANSACTION = 1_000
/** With 10,000 organizations, a poll takes about 50 ms. */
const LANGUAGES_INTERVAL_SECONDS = 60

/** Recomputes the stems of words after the organization's search languages changed. */
export const changeSearchLanguages: Job = {
  name: 'changeSearchLanguages',
  everySeconds: LANGUAGES_INTERVAL_SECONDS,
  due: async (db) =>
    db.rows(
      'changed_search_languages',
      `select o.id as "organizationId", 0 as id from organizations o
       cross join lateral (
         select coalesce((select settings ->> 'search_languages' from organization_settings
                          where organization_id = o.id), $1) as languages) wanted
       where o.string_id !~ '^[?!]'
       and (exists (select from search_words w where w.organization_id = o.id and w.languages < wanted.languages)
            or exists (select from search_words w where w.organization_id = o.id and w.languages > wanted.languages))
       limit ${ORGANIZATIONS_PER_RUN}`,
      [SETTING_DEFAULTS.search_languages],
    ),
  async run({ log, closing }) {
    for (let count = 0; count < TRANSACTIONS_PER_RUN && !closing.aborted; count += 1) {
      const changed = await log.write(async (tx) =>
        tx.db.rows(
          'change_languages',
          `update search_words set languages = $2, stems = word_stems(word, $2)
           where organization_id = $1 and word = any(array(
             select word from search_words where organization_id = $1 and languages < $2
             union all
             select word from search_words where organization_id = $1 and languages > $2
             limit ${WORDS_PER_TRANSACTION}))
           returning 1`,
          [tx.organizationId, searchLanguagesOf(tx.organization)],
        ),
      )
      if (changed.length < WORDS_PER_TRANSACTION) return
    }
  },
}
