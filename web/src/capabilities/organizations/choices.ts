import { call } from '@parley/client'
import { organizations, type groups } from '@parley/server/contract'
import { ta } from '../../kernel/administration.ts'
import type { Choice, SaveResult } from '../../kernel/setting.ts'
import type { RealmSettings } from '../../kernel/state.ts'
import { store, sync } from '../../platform/client.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { isAdministrator, isOwner } from '../users/state.ts'

type RealmName = keyof RealmSettings

export type RealmPermission = groups.RealmPermission

export type PlainName = Exclude<RealmName, RealmPermission>

export const RETENTION_FOREVER = -1

export function refusalReason(name: RealmName | organizations.HiddenSetting): string | undefined {
  if (!isAdministrator()) return ta().permissions.onlyAdministrators
  const isForOwners = organizations.OWNER_SETTINGS_AND_PERMISSIONS.some((one) => one === name)
  return isForOwners && !isOwner() ? ta().permissions.onlyOwners : undefined
}

/** Throws errors, so that the control that changed the setting can show them. */
export function realmSetting<Name extends PlainName>(name: Name): Choice<RealmSettings[Name]> {
  return {
    read: () => readRealmSetting(name),
    write: async (value) => changeSetting(name, value, apiValueOf(name, value)),
  }
}

export function realmPermission<Name extends RealmPermission>(name: Name): Choice<RealmSettings[Name]> {
  return {
    read: () => readRealmSetting(name),
    write: async (value) => changeSetting(name, value, { new: value, old: readRealmSetting(name) }),
  }
}

function readRealmSetting<Name extends RealmName>(name: Name): RealmSettings[Name] {
  // Safe: the state has one field for each setting, named after it.
  const value: unknown = store().read(`realm_${name}`)
  return value as RealmSettings[Name]
}

function apiValueOf(name: PlainName, value: unknown): unknown {
  if (name === 'jitsi_server_url') return value ?? 'default'
  const isWithoutEnd = value === null || (name === 'message_retention_days' && value === RETENTION_FOREVER)
  return isWithoutEnd ? 'unlimited' : value
}

async function changeSetting<Name extends RealmName>(
  name: Name,
  value: RealmSettings[Name],
  parameter: unknown,
): Promise<SaveResult> {
  const before = readRealmSetting(name)
  predictSetting(name, value)
  try {
    await withConfirmation(async () => call(SESSION, organizations.updateRealm, { [name]: parameter }))
  } catch (error) {
    // Keeps a newer value that was chosen during the request.
    if (readRealmSetting(name) === value) predictSetting(name, before)
    throw error
  }
  return 'saved'
}

function predictSetting(name: RealmName, value: unknown): void {
  sync.predict({ type: 'realm', op: 'update_dict', property: 'default', data: { [name]: value } })
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

/** Time limits in seconds; null for no limit. */
export const TIME_LIMITS: readonly (number | null)[] = [
  null,
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 4, 12].map((hours) => hours * HOUR),
  ...[1, 3, 7, 14, 30, 90, 365].map((days) => days * DAY),
]

/** Numbers of days for which a member can count as new. */
export const NEW_MEMBER_DAYS: readonly number[] = [0, 1, 3, 7, 14, 30, 90]

/** Retention periods in days; -1 for forever. */
export const RETENTION_DAYS: readonly number[] = [RETENTION_FOREVER, 30, 90, 180, 365, 730, 1_825, 3_650]

export function withChosen<Value>(values: readonly Value[], chosen: Value): readonly Value[] {
  return values.includes(chosen) ? values : [...values, chosen]
}

export function timeTitle(seconds: number | null): string {
  if (seconds === null) return ta().organization.anyTime
  if (seconds % DAY === 0) return ta().organization.days(seconds / DAY)
  if (seconds % HOUR === 0) return ta().organization.hours(seconds / HOUR)
  return ta().organization.minutes(Math.round((seconds / MINUTE) * 10) / 10)
}
