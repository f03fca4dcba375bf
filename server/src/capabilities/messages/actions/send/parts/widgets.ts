import { WIDGET } from '../../../contract/submessages.ts'
import type { StatementPart } from '../part.ts'

/** The submessage ID equals the message ID. */
export const widgets: StatementPart = {
  name: 'widgets',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.widget !== null),
  sql: () => `
widget as (
  insert into submessages (organization_id, id, message_id, sender_id, msg_type, content)
  select $organization, placed.id, placed.id, placed.sender_id, '${WIDGET}', widget.content
  from placed join unnest($widget_messages::bigint[], $widgets::text[]) as widget(n, content)
    on widget.n = placed.n)`,
  values({ inserts }) {
    const found = inserts.flatMap(({ message: { widget } }, index) =>
      widget === null ? [] : [{ n: index + 1, widget }],
    )
    return { widget_messages: found.map(({ n }) => n), widgets: found.map(({ widget }) => widget) }
  },
}
