import type { EventDescription } from './described.ts'
import { channelDescriptions } from './channels.ts'
import { organizationDescriptions } from './organization.ts'
import { peopleDescriptions } from './people.ts'

export const DESCRIBERS_BY_EVENT: ReadonlyMap<string, EventDescription['describe']> = new Map(
  [...peopleDescriptions, ...channelDescriptions, ...organizationDescriptions].map(({ event, describe }) => [
    event,
    describe,
  ]),
)
