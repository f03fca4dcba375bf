/**
 * What a message means to single users. There are rows only for users that its text mentions or alerts; that it
 * mentions the whole channel is a fact of the message. Each partial index is one of the lists that users ask for; the
 * index by message finds all users' rows when the message changes.
 */
export const sql = `
alter table message_flags
  add column mentioned boolean not null default false,
  add column topic_wildcard_mentioned boolean not null default false,
  add column has_alert_word boolean not null default false;
create index message_flags_starred on message_flags (organization_id, user_id, message_id) where starred;
create index message_flags_mentioned on message_flags (organization_id, user_id, message_id)
  where mentioned or topic_wildcard_mentioned;
create index message_flags_alerted on message_flags (organization_id, user_id, message_id) where has_alert_word;
create index message_flags_message on message_flags (organization_id, message_id);

alter table messages add column mentions_channel boolean not null default false;
create index messages_mentioning_channel on messages (organization_id, id) where mentions_channel;
`
