/** Requests can use either set of names. `PARLEY_API_NAMES` chooses that of responses, except to our own clients. */
export const API_NAMES = ['neutral', 'zulip'] as const
export type ApiNames = (typeof API_NAMES)[number]

const WIRE_KEYS: Readonly<Record<string, string>> = {
  client_external_avatar: 'client_gravatar',
  highlighter_language: 'pygments_language',
  realm_service_update_announcements_stream_id: 'realm_zulip_update_announcements_stream_id',
  service_extra_emoji: 'zulip_extra_emoji',
  service_feature_level: 'zulip_feature_level',
  service_merge_base: 'zulip_merge_base',
  service_plan_is_not_limited: 'zulip_plan_is_not_limited',
  service_update_announcements_stream_id: 'zulip_update_announcements_stream_id',
  service_version: 'zulip_version',
}

/** Names of the one built-in emoji outside Unicode. `service` alone is never renamed: a Unicode emoji has that name. */
export const EXTRA_EMOJI_NAMES: Readonly<Record<ApiNames, string>> = { neutral: 'service', zulip: 'zulip' }

const WIRE_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  notification_sound: { service: 'zulip' },
  reaction_type: { service_extra_emoji: 'zulip_extra_emoji' },
  // Always renamed, because no other emoji has this code.
  emoji_code: { [EXTRA_EMOJI_NAMES.neutral]: EXTRA_EMOJI_NAMES.zulip },
  code: { INVALID_SERVICE_SERVER: 'INVALID_ZULIP_SERVER' },
  property: { service_update_announcements_stream_id: 'zulip_update_announcements_stream_id' },
  var_name: WIRE_KEYS,
}

const neutralKeys = new Map(Object.entries(WIRE_KEYS).map(([neutral, wire]) => [wire, neutral]))
const neutralValues = new Map(
  Object.entries(WIRE_VALUES).map(([field, values]) => [
    field,
    new Map(Object.entries(values).map(([neutral, wire]) => [wire, neutral])),
  ]),
)

export function neutralName(name: string): string {
  return neutralKeys.get(name) ?? name
}

/** Returns the neutral form of a value, which can be JSON-quoted. */
export function neutralValue<Value>(name: string, value: Value): Value | string {
  const words = neutralValues.get(name)
  if (words === undefined || typeof value !== 'string') return value
  return words.get(value.replace(/^"(\w*)"$/, '$1')) ?? value
}

/* In JSON, `{"name":` and `,"name":` occur only as keys, because strings escape quotes: one pass renames all. */
const wireKeyPattern = new RegExp(`(?<=[{,])"(${Object.keys(WIRE_KEYS).join('|')})":`, 'g')
const wireValuePattern = new RegExp(
  Object.entries(WIRE_VALUES)
    .map(([field, values]) => `(?<=[{,]"${field}":)"(?:${Object.keys(values).join('|')})"`)
    .concat(`(?<=[{,]"emoji_name":)"service"(?=,"emoji_code":"service")`)
    .concat(`(?<=[{,]"emoji_code":"service","emoji_name":)"service"`)
    .join('|'),
  'g',
)
const wireWords = new Map(Object.values(WIRE_VALUES).flatMap((values) => Object.entries(values)))
/** Matches sound values: next to a field that names the setting, and in the list of sounds. */
const wireSoundPattern =
  /(?<=[{,]"(?:property":"notification_sound","value|notification_name":"notification_sound","setting)":|[{,]"available_notification_sounds":\[)"service"/g
/** Matches the start of an error whose message names a parameter and quotes no user input. */
const parameterErrorPattern = /^\{"result":"error","msg":"(?:[^"\\]|\\.)*","code":"(?:REQUEST_\w+|INVALID_JSON)"/
const parameterNamePattern = new RegExp(`\\b(?:${Object.keys(WIRE_KEYS).join('|')})\\b`, 'g')

export function renameForApi(names: ApiNames, json: string): string {
  if (names === 'neutral') return json
  const renamed = json
    .replace(wireKeyPattern, (_, key: string) => `"${WIRE_KEYS[key] ?? key}":`)
    .replace(wireValuePattern, (quoted) => `"${wireWords.get(quoted.slice(1, -1)) ?? ''}"`)
    .replace(parameterErrorPattern, (start) => start.replace(parameterNamePattern, (key) => WIRE_KEYS[key] ?? key))
  return renamed.includes('notification_sound') ? renamed.replace(wireSoundPattern, '"zulip"') : renamed
}
