/**
 * The words in which existing clients' API differs from ours. Inputs are accepted in either form, always; answers
 * and events use the neutral words unless `PARLEY_API_NAMES=zulip` asks for the names existing clients expect. Clients that
 * are made from the declarations have the neutral words at every server: `Exchange.names` says how they are told apart.
 */
export const API_NAMES = ['neutral', 'zulip'] as const
export type ApiNames = (typeof API_NAMES)[number]

const KEYS: Readonly<Record<string, string>> = {
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

/**
 * What the one emoji of the server's own is called, which is its code as well. An emoji of Unicode is called `service`
 * by existing clients, so the name alone is not renamed: what it means is for those to say who look for the emoji.
 */
export const EXTRA_EMOJI_NAMES: Readonly<Record<ApiNames, string>> = { neutral: 'service', zulip: 'zulip' }

/** Values that are renamed where the named field holds them. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  notification_sound: { service: 'zulip' },
  reaction_type: { service_extra_emoji: 'zulip_extra_emoji' },
  // The one emoji of that type; no other has the code.
  emoji_code: { [EXTRA_EMOJI_NAMES.neutral]: EXTRA_EMOJI_NAMES.zulip },
  code: { INVALID_SERVICE_SERVER: 'INVALID_ZULIP_SERVER' },
  // Of the organization's settings, in the event of their change: the others that have such names never change.
  property: { service_update_announcements_stream_id: 'zulip_update_announcements_stream_id' },
  // In errors.
  var_name: KEYS,
}

const neutralKeys = new Map(Object.entries(KEYS).map(([neutral, wire]) => [wire, neutral]))
const neutralValues = new Map(
  Object.entries(VALUES).map(([field, values]) => [
    field,
    new Map(Object.entries(values).map(([neutral, wire]) => [wire, neutral])),
  ]),
)

/** The neutral form of a parameter's name. */
export function neutralName(name: string): string {
  return neutralKeys.get(name) ?? name
}

/** The neutral form of what the parameter of this neutral name says; it may be JSON-quoted. */
export function neutralValue<Value>(name: string, value: Value): Value | string {
  const words = neutralValues.get(name)
  if (words === undefined || typeof value !== 'string') return value
  return words.get(value.replace(/^"(\w*)"$/, '$1')) ?? value
}

/*
 * In JSON text a quote inside a string is always escaped, so one right behind a brace or a comma begins or ends a
 * string, and `{"name":` or `,"name":` is a key and nothing else: one pass over the finished text renames exactly what
 * it should, and only when a server is set up for it.
 */
const wireKey = new RegExp(`(?<=[{,])"(${Object.keys(KEYS).join('|')})":`, 'g')
const wireValue = new RegExp(
  Object.entries(VALUES)
    .map(([field, values]) => `(?<=[{,]"${field}":)"(?:${Object.keys(values).join('|')})"`)
    .concat(`(?<=[{,]"emoji_name":)"service"(?=,"emoji_code":"service")`)
    // As the database orders the members of what it keeps.
    .concat(`(?<=[{,]"emoji_code":"service","emoji_name":)"service"`)
    .join('|'),
  'g',
)
const wireWords = new Map(Object.values(VALUES).flatMap((values) => Object.entries(values)))
/** Where a field beside it says that a value is a sound, and in the list of sounds. */
const wireSound =
  /(?<=[{,]"(?:property":"notification_sound","value|notification_name":"notification_sound","setting)":|[{,]"available_notification_sounds":\[)"service"/g
/** The start of a refusal whose message names a parameter and quotes no user. */
const parameterRefusal = /^\{"result":"error","msg":"(?:[^"\\]|\\.)*","code":"(?:REQUEST_\w+|INVALID_JSON)"/
const namedParameter = new RegExp(`\\b(?:${Object.keys(KEYS).join('|')})\\b`, 'g')

/** Puts a JSON text's words into the configured form. */
export function onWire(names: ApiNames, json: string): string {
  if (names === 'neutral') return json
  const renamed = json
    .replace(wireKey, (_, key: string) => `"${KEYS[key] ?? key}":`)
    .replace(wireValue, (quoted) => `"${wireWords.get(quoted.slice(1, -1)) ?? ''}"`)
    .replace(parameterRefusal, (start) => start.replace(namedParameter, (key) => KEYS[key] ?? key))
  return renamed.includes('notification_sound') ? renamed.replace(wireSound, '"zulip"') : renamed
}
