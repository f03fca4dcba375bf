import { ROLE } from '../../server/src/kernel/actor.ts'
import type { TestOrganization, TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { createTeamIn, type Team } from './team.ts'

const SHARED_EVENT_TYPES = [
  'realm',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user_settings_defaults',
  'custom_profile_fields',
  'default_streams',
  'channel_folders',
  'realm_user_groups',
  'realm_bot',
]

interface SharedOrganization {
  readonly here: TestOrganization
  /** Result of `fetchSharedState` for the new organization. */
  readonly state: string | undefined
}

export class Teams {
  readonly #server: () => TestServer
  #organization: SharedOrganization | undefined
  #owner: TestUser | undefined
  #people: TestUser[] = []

  constructor(server: () => TestServer) {
    this.#server = server
  }

  async next(): Promise<Team> {
    const { here } = (this.#organization = await this.#unchanged())
    const before = this.#people
    this.#people = []
    const user: TestOrganization['user'] = async (...args) => {
      const person = await here.user(...args)
      this.#people.push(person)
      return person
    }
    const owner = before.length === 0 ? here.owner : await user('Olivia Owner', { role: ROLE.owner })
    if (before.length === 0) this.#people.push(owner)
    else {
      for (const { id } of before) await owner.try('DELETE', `/users/${id}`)
      await archiveChannels(owner)
    }
    this.#owner = owner
    return createTeamIn({ ...here, owner, user })
  }

  /** Returns the organization of the previous test, or a new one if that test changed it. */
  async #unchanged(): Promise<SharedOrganization> {
    const [organization, owner] = [this.#organization, this.#owner]
    if (organization !== undefined && owner !== undefined && (await fetchSharedState(owner)) === organization.state)
      return organization
    this.#people = []
    const here = await this.#server().organization('Hill & Valley')
    return { here, state: await fetchSharedState(here.owner) }
  }
}

/** Reads the state that everyone in an organization shares; undefined if the owner can no longer read it. */
async function fetchSharedState(owner: TestUser): Promise<string | undefined> {
  const { status, body } = await owner.try('POST', '/register', { fetch_event_types: SHARED_EVENT_TYPES })
  const { queue_id: _queue, last_event_id: _event, realm_user_groups: groups, ...state } = body
  if (status !== 200 || groups === undefined) return undefined
  // Omits system groups, whose members change when tests create people.
  const made = groups.filter((group) => !group.is_system_group)
  return JSON.stringify({ ...state, made })
}

/** Renames and archives all channels, so that tests can reuse their names. */
async function archiveChannels(owner: TestUser): Promise<void> {
  const { streams } = await owner.call('GET', '/streams', { include_all: true, exclude_archived: true })
  for (const { stream_id, name } of streams) {
    await owner.call('PATCH', `/streams/${stream_id}`, { new_name: `${name} ${stream_id}` })
    await owner.call('DELETE', `/streams/${stream_id}`)
  }
}
