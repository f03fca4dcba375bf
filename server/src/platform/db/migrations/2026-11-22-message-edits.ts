/**
 * The former states of messages. `message_edits` has the changes of single messages: a change of the content, or a
 * move, then with both topics. `topic_moves` has the moves of whole topics, once for all messages that were in them;
 * a message that leaves the topic takes its part along as rows of its own. Positions are those of the change's first
 * event.
 */
export const sql = `
create table message_edits (
  organization_id bigint not null references organizations(id) on delete cascade,
  message_id bigint not null,
  position bigint not null,
  user_id bigint not null,
  date_edited bigint not null,
  prev_content text,
  prev_rendered_content text,
  prev_topic text,
  topic text,
  prev_channel_id bigint,
  channel_id bigint,
  primary key (organization_id, message_id, position)
);

create table topic_moves (
  organization_id bigint not null references organizations(id) on delete cascade,
  topic_id bigint not null,
  position bigint not null,
  user_id bigint not null,
  date_edited bigint not null,
  prev_topic text not null,
  topic text not null,
  prev_channel_id bigint,
  channel_id bigint,
  primary key (organization_id, topic_id, position)
);
`
