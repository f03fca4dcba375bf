import { claimUploadsSql } from '../../../../uploads/queries.ts'
import type { StatementPart } from '../part.ts'

export const uploads: StatementPart = {
  name: 'uploads',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.uploadIds.length > 0),
  sql: () => `
link as (
  select placed.id as message_id, link.attachment_id
  from placed join unnest($upload_messages::bigint[], $uploads::bigint[]) as link(n, attachment_id)
    on link.n = placed.n),
${claimUploadsSql({ links: 'link' }).trim()}`,
  values({ inserts }) {
    const links = inserts.flatMap(({ message }, index) => message.uploadIds.map((id) => ({ n: index + 1, id })))
    return { upload_messages: links.map(({ n }) => n), uploads: links.map(({ id }) => id) }
  },
}
