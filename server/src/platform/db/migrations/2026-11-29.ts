import { PUNCTUATION_PATTERN, words } from './2026-11-22-search.ts'

/**
 * Search words are composed (NFC): a letter with an accent can be one or two code points. Composing text takes nearly
 * as long as finding its words, so text that is already composed is skipped.
 */
export const composedWords = `
create or replace function message_words(content text) returns tsvector language sql immutable parallel safe
return to_tsvector('parley_search', regexp_replace(
  case when octet_length(content) = length(content) or content is normalized then content else normalize(content) end,
  '${PUNCTUATION_PATTERN}', ' ', 'g'));
`
/*
 * Recomputes names and their keys as case-key.ts does. Where two names become equal, the one whose key changes gets a
 * number, as in imports. Few names change, so rows change one by one, under their organization's lock.
 */

interface Renewal {
  readonly isOld: string
  readonly name: string
  readonly key: string
  readonly ifTaken: string
  readonly spelling: string
}

interface NameColumn {
  readonly table: string
  /** Columns within which a name is unique. */
  readonly within: readonly string[]
  /** Maximum length of a name. */
  readonly most: number
  readonly among?: string
  readonly followUp?: (renewal: Renewal) => string
}

const NAME_COLUMNS: readonly NameColumn[] = [
  { table: 'channels', within: ['organization_id'], most: 60 },
  { table: 'user_groups', within: ['organization_id'], most: 100 },
  { table: 'channel_folders', within: ['organization_id'], most: 60, among: 'not t.is_archived' },
  { table: 'default_channel_groups', within: ['organization_id'], most: 60 },
  {
    table: 'topics',
    within: ['organization_id', 'channel_id'],
    most: 60,
    followUp: ({ spelling }) => `
    update messages set topic_spelling = ${spelling} || ending
    where organization_id = one.organization_id and topic_id = one.id and topic_spelling is not null;
    for policy in select * from user_topics where organization_id = one.organization_id
    and channel_id = one.channel_id and name_key = one.name_key loop
      perform rename_user_topic(policy, composed || ending, key || ending);
    end loop;`,
  },
]

const renewNames = (renewal: Renewal, { table, within, most, among = 'true', followUp }: NameColumn): string => `
  for one in select t.* from ${table} t where ${renewal.isOld}
  order by t.organization_id, t.id loop
    perform from organizations where id = one.organization_id for no key update;
    composed := ${renewal.name};
    key := ${renewal.key};
    ending := '';
    number := 1;
    while exists (select from ${table} t where ${within.map((column) => `t.${column} = one.${column}`).join(' and ')}
                  and t.name_key = key || ending and t.id <> one.id and ${among}) loop
      number := number + 1;${renewal.ifTaken}
      ending := format(' (%s)', number);
      -- A few letters have longer keys. Their names are not cut, since the server could not compute the same key.
      if length(composed) = length(key) then
        composed := rtrim(left(composed, ${most} - length(ending)));
        key := rtrim(left(key, ${most} - length(ending)));
      end if;
    end loop;
    update ${table} set name = composed || ending, name_key = key || ending
    where organization_id = one.organization_id and id = one.id;${followUp?.(renewal) ?? ''}
  end loop;
`

const NFC_RENEWAL: Renewal = {
  isOld: 't.name is not normalized or t.name_key is not normalized',
  name: 'normalize(one.name)',
  key: 'normalize(one.name_key)',
  ifTaken: '',
  spelling: 'normalize(topic_spelling)',
}

const OTHER_NAMES: readonly (readonly [table: string, column: string])[] = [
  ['organization_settings', 'name'],
  ['users', 'full_name'],
  ['custom_profile_fields', 'name'],
  ['realm_playgrounds', 'name'],
  ['api_tokens', 'name'],
  ['passkeys', 'name'],
  ['saved_snippets', 'title'],
  ['navigation_views', 'name'],
  ['drafts', 'topic'],
  ['scheduled_messages', 'topic'],
  ['messages', 'topic_spelling'],
  ['alert_words', 'word'],
  ['invitations', 'email'],
  ['invitations', 'email_key'],
  ['registrations', 'email'],
  ['registrations', 'email_key'],
  ['confirmed_addresses', 'email_key'],
]

const compose = ([table, column]: readonly [string, string]): string => `
  update ${table} set ${column} = normalize(${column}) where ${column} is not null and ${column} is not normalized;`

/** Composes addresses, unless those of two accounts would become equal: an address cannot get a number. */
const composeAddress = (column: string): string => `
  update users u set ${column} = normalize(${column}), ${column}_key = normalize(${column}_key)
  where (${column} is not normalized or ${column}_key is not normalized) and not exists (
    select from users o where o.organization_id = u.organization_id and o.id <> u.id
    and normalize(o.${column}_key) = normalize(u.${column}_key));`

const RENAME_USER_TOPIC = `-- Of two policies of a user for a topic, the newer one stays.
create function rename_user_topic(given user_topics, name text, key text) returns void language plpgsql as $$
begin
  delete from user_topics u where u.organization_id = given.organization_id and u.user_id = given.user_id
  and u.channel_id = given.channel_id and u.name_key = given.name_key;
  given.topic_name := name;
  given.name_key := key;
  insert into user_topics as u select given.* on conflict (organization_id, user_id, channel_id, name_key) do update
  set topic_name = excluded.topic_name, visibility_policy = excluded.visibility_policy,
    last_updated = excluded.last_updated
  where u.last_updated < excluded.last_updated;
end;
$$;

`

const renewAlertWords = (
  isOld: string,
  renew: (column: string) => string,
): string => `  for one in select * from alert_words where ${isOld} loop
    if exists (select from alert_words where organization_id = one.organization_id and user_id = one.user_id
               and word_key = ${renew('one.word_key')}) then
      delete from alert_words where organization_id = one.organization_id and user_id = one.user_id
      and word_key = one.word_key;
    else
      update alert_words set word_key = ${renew('word_key')} where organization_id = one.organization_id
      and user_id = one.user_id and word_key = one.word_key;
    end if;
  end loop;
`

export const composedNames = `
${RENAME_USER_TOPIC}create function compose_names() returns void language plpgsql as $$
declare
  one record;
  policy user_topics;
  composed text;
  key text;
  ending text;
  number int;
begin${NAME_COLUMNS.map((names) => renewNames(NFC_RENEWAL, names)).join('')}
  for policy in select * from user_topics where topic_name is not normalized or name_key is not normalized loop
    perform rename_user_topic(policy, normalize(policy.topic_name), normalize(policy.name_key));
  end loop;

${renewAlertWords('word_key is not normalized', (column) => `normalize(${column})`)}${OTHER_NAMES.map(compose).join('')}
${['email', 'delivery_email'].map(composeAddress).join('')}
end;
$$;

select compose_names();
drop function compose_names();
drop function rename_user_topic(user_topics, text, text);
`

/**
 * Recomputes the search words of messages that are not in Unicode form NFC. Reads every message: 3 s per million, 20 s
 * if all have non-ASCII letters. This is a separate migration, because nodes of the previous release store other words
 * until the preceding migration is committed.
 */
export const composedMessages = `
update messages set search = message_words(content)
where octet_length(content) <> length(content) and content is not normalized;
`

const SPACES = String.raw`'[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+'`
const plainSpaces = (column: string): string => `regexp_replace(${column}, ${SPACES}, ' ', 'g')`
const plainKey = (column: string): string => `replace(${plainSpaces(column)}, 'ς', 'σ')`

const SPACES_RENEWAL: Renewal = {
  isOld: `t.name_key <> ${plainKey('t.name_key')}`,
  name: 'one.name',
  key: plainKey('one.name_key'),
  ifTaken: `
      composed := ${plainSpaces('composed')};`,
  spelling: 'topic_spelling',
}

const ADDRESS_KEYS: readonly (readonly [table: string, column: string])[] = [
  ['invitations', 'email_key'],
  ['registrations', 'email_key'],
  ['confirmed_addresses', 'email_key'],
]

const renewAddress = ([table, column]: readonly [string, string]): string => `
  update ${table} set ${column} = replace(${column}, 'ς', 'σ') where ${column} like '%ς%';`

const renewAddressOfUser = (column: string): string => `
  update users u set ${column} = replace(${column}, 'ς', 'σ') where ${column} like '%ς%' and not exists (
    select from users o where o.organization_id = u.organization_id and o.id <> u.id
    and replace(o.${column}, 'ς', 'σ') = replace(u.${column}, 'ς', 'σ'));`

/** Includes both forms of a final sigma, so that a search for either finds the topic, whose key has only one form. */
const topicWords = (key: string): string => `${words(key)} || ${words(`regexp_replace(${key}, 'σ\\M', 'ς', 'g')`)}`

/** Keys that ignore the kind and number of spaces, and the form of a final sigma. */
export const spacedNames = `
create or replace function note_topic_words() returns trigger language plpgsql as $$
begin
  insert into topic_words (organization_id, topic_id, search)
  values (new.organization_id, new.id,
          case when new.name_key like '%σ%' then ${topicWords('new.name_key')} else ${words('new.name_key')} end)
  on conflict (organization_id, topic_id) do update set search = excluded.search;
  return null;
end;
$$;
update topic_words w set search = ${topicWords('t.name_key')} from topics t
where t.organization_id = w.organization_id and t.id = w.topic_id and t.name_key like '%σ%';

${RENAME_USER_TOPIC}create function space_names() returns void language plpgsql as $$
declare
  one record;
  policy user_topics;
  composed text;
  key text;
  ending text;
  number int;
begin${NAME_COLUMNS.map((names) => renewNames(SPACES_RENEWAL, names)).join('')}
  for policy in select * from user_topics where name_key <> ${plainKey('name_key')} loop
    perform rename_user_topic(policy, policy.topic_name, ${plainKey('policy.name_key')});
  end loop;

${renewAlertWords(`word_key <> ${plainKey('word_key')}`, plainKey)}${ADDRESS_KEYS.map(renewAddress).join('')}
${['email_key', 'delivery_email_key'].map(renewAddressOfUser).join('')}
end;
$$;

select space_names();
drop function space_names();
drop function rename_user_topic(user_topics, text, text);
`

export const FINAL_SIGMA = `'σ(?=${PUNCTUATION_PATTERN}|\\s|$)'`
export const bothSigmas = (key: string): string =>
  `${words(key)} || ${words(`regexp_replace(${key}, ${FINAL_SIGMA}, 'ς', 'g')`)}`

/** Finds the ends of words without using the database's locale: in some locales, σ is not a letter. */
export const finalSigmas = `
create or replace function note_topic_words() returns trigger language plpgsql as $$
begin
  insert into topic_words (organization_id, topic_id, search)
  values (new.organization_id, new.id,
          case when new.name_key ~ ${FINAL_SIGMA} then ${bothSigmas('new.name_key')} else ${words('new.name_key')} end)
  on conflict (organization_id, topic_id) do update set search = excluded.search;
  return null;
end;
$$;
update topic_words w set search = ${bothSigmas('t.name_key')} from topics t
where t.organization_id = w.organization_id and t.id = w.topic_id and t.name_key ~ ${FINAL_SIGMA};
`
