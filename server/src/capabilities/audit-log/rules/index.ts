import type { Description } from './described.ts'
import { ofChannels } from './channels.ts'
import { ofOrganization } from './organization.ts'
import { ofPeople } from './people.ts'

export const DESCRIPTIONS: ReadonlyMap<string, Description['describe']> = new Map(
  [...ofPeople, ...ofChannels, ...ofOrganization].map(({ event, describe }) => [event, describe]),
)
