import type { Description } from './described.ts'
import { channelDescriptions } from './channels.ts'
import { organizationDescriptions } from './organization.ts'
import { peopleDescriptions } from './people.ts'

export const DESCRIPTIONS: ReadonlyMap<string, Description['describe']> = new Map(
  [...peopleDescriptions, ...channelDescriptions, ...organizationDescriptions].map(({ event, describe }) => [
    event,
    describe,
  ]),
)
