/**
 * The first schema. Every key starts with the organization, so that organizations can be distributed over several
 * databases. IDs are log positions, except topic IDs, which never leave the server.
 */
export const initialSchema = `
create table organizations (
  id bigint generated always as identity primary key,
  string_id text not null unique,
  position bigint not null default 0
) with (fillfactor = 50);

create table organization_settings (
  organization_id bigint primary key references organizations(id) on delete cascade,
  name text not null,
  description text not null default '',
  date_created bigint not null,
  deactivated boolean not null default false,
  settings jsonb not null default '{}'
);

create table user_groups (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  name text not null,
  description text not null,
  creator_id bigint,
  date_created bigint,
  is_system_group boolean not null,
  deactivated boolean not null default false,
  permissions jsonb not null,
  primary key (organization_id, id)
);
create unique index user_groups_name on user_groups (organization_id, name);

create table group_members (
  organization_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references user_groups (organization_id, id) on delete cascade
);

create table group_subgroups (
  organization_id bigint not null,
  group_id bigint not null,
  subgroup_id bigint not null,
  primary key (organization_id, group_id, subgroup_id),
  foreign key (organization_id, group_id) references user_groups (organization_id, id) on delete cascade
);

create table users (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  email text not null,
  email_key text not null,
  delivery_email text not null,
  delivery_email_key text not null,
  full_name text not null,
  role smallint not null check (role in (100, 200, 300, 400, 600)),
  is_active boolean not null default true,
  bot_type smallint,
  bot_owner_id bigint,
  date_joined bigint not null,
  timezone text not null default '',
  avatar_version integer not null default 1,
  settings jsonb not null default '{}',
  primary key (organization_id, id)
);
create unique index users_email on users (organization_id, email_key);
create unique index users_delivery_email on users (organization_id, delivery_email_key);

create table credentials (
  organization_id bigint not null,
  user_id bigint not null,
  password_hash text,
  api_key text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);

create table channels (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  rendered_description text not null,
  date_created bigint not null,
  creator_id bigint,
  invite_only boolean not null,
  is_web_public boolean not null,
  history_public_to_subscribers boolean not null,
  is_default boolean not null default false,
  is_archived boolean not null default false,
  message_retention_days integer,
  topics_policy text not null,
  folder_id bigint,
  first_message_id bigint,
  permissions jsonb not null,
  primary key (organization_id, id)
);
create unique index channels_name on channels (organization_id, name_key);

create table subscriptions (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  periods int8multirange not null,
  color text not null,
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (organization_id, user_id, channel_id),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index subscriptions_channel on subscriptions (organization_id, channel_id, user_id);

-- A channel's topics, and one row for each direct conversation (channel_id null). Renaming is one update.
-- The keys of names and addresses are computed by the server (see case-key.ts): databases fold some letters
-- differently. previous_id is the newest message before the last send: what the sender's own read mark starts after.
create table topics (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint generated always as identity,
  channel_id bigint,
  name text not null,
  name_key text not null,
  first_id bigint not null,
  max_id bigint not null,
  previous_id bigint not null default 0,
  primary key (organization_id, id)
) with (fillfactor = 80);
create unique index topics_name on topics (organization_id, channel_id, name_key);
create index topics_newest on topics (organization_id, channel_id, max_id) include (first_id, id);

create table conversations (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  member_ids bigint[] not null,
  topic_id bigint not null,
  primary key (organization_id, id)
);
create unique index conversations_members on conversations (organization_id, member_ids);
create unique index conversations_topic on conversations (organization_id, topic_id);

create table conversation_members (
  organization_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  primary key (organization_id, user_id, conversation_id),
  foreign key (organization_id, conversation_id) references conversations (organization_id, id) on delete cascade
);

create table messages (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  channel_id bigint,
  topic_id bigint not null,
  sender_id bigint not null,
  content text not null,
  rendered_content text not null,
  date_sent bigint not null,
  client text not null,
  primary key (organization_id, id)
);
create index messages_topic on messages (organization_id, topic_id, id);
create index messages_channel on messages (organization_id, channel_id, id);
create index messages_sender on messages (organization_id, sender_id, id);

create table topic_reads (
  organization_id bigint not null references organizations(id) on delete cascade,
  user_id bigint not null,
  topic_id bigint not null,
  read int8multirange not null,
  primary key (organization_id, user_id, topic_id)
) with (fillfactor = 90);
create index topic_reads_topic on topic_reads (organization_id, topic_id, user_id);

create table user_reads (
  organization_id bigint not null references organizations(id) on delete cascade,
  user_id bigint not null,
  read int8multirange not null,
  primary key (organization_id, user_id)
) with (fillfactor = 80);

create table message_flags (
  organization_id bigint not null references organizations(id) on delete cascade,
  user_id bigint not null,
  message_id bigint not null,
  starred boolean not null default false,
  collapsed boolean not null default false,
  primary key (organization_id, user_id, message_id)
);

create table events (
  organization_id bigint not null references organizations(id) on delete cascade,
  position bigint not null,
  type text not null,
  ref_id bigint,
  audience jsonb not null,
  payload jsonb not null,
  changes jsonb,
  recorded_at bigint not null,
  primary key (organization_id, position)
);

create table queues (
  organization_id bigint not null references organizations(id) on delete cascade,
  id text not null,
  user_id bigint not null,
  registration jsonb not null,
  start_position bigint not null,
  last_used_at bigint not null,
  primary key (organization_id, id)
);

-- What makes a retried send the same send. Goes with its queue.
create table sent_local_ids (
  organization_id bigint not null,
  queue_id text not null,
  local_id text not null,
  message_id bigint not null,
  primary key (organization_id, queue_id, local_id),
  foreign key (organization_id, queue_id) references queues (organization_id, id) on delete cascade
);
`
