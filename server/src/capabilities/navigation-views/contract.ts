import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { boolean, composedText, nothing, string, text } from '../../kernel/schemas.ts'

/** In code points. A fragment, the part of a client's URL after `#`, can contain the names of a channel and a topic. */
export const MAX_FRAGMENT_CHARACTERS = 500
export const MAX_VIEW_NAME_CHARACTERS = 100
export const NAVIGATION_VIEW_LIMIT: Limit = { most: 200, per: 'user', what: 'navigation views' }

/** Views that every client knows; each client names them in its user's language. */
export const BUILT_IN_FRAGMENTS: readonly string[] = [
  'inbox',
  'recent',
  'feed',
  'all',
  'drafts',
  'scheduled',
  'reminders',
  'starred',
  'mentions',
  'narrow/is/starred',
  'narrow/is/mentioned',
  'narrow/has/reaction/sender/me',
]

const fragment = text(MAX_FRAGMENT_CHARACTERS)
const viewName = composedText(MAX_VIEW_NAME_CHARACTERS)

export const navigationView = z.strictObject({
  fragment: string,
  is_pinned: boolean,
  name: z.optional(string),
})
export type NavigationView = z.output<typeof navigationView>

export const getNavigationViews = endpoint({
  id: 'getNavigationViews',
  method: 'GET',
  path: '/navigation_views',
  summary: 'List your navigation views.',
  since: 390,
  input: nothing,
  output: z.object({ navigation_views: z.array(navigationView) }),
  errors: [],
})

export const addNavigationView = endpoint({
  id: 'addNavigationView',
  method: 'POST',
  path: '/navigation_views',
  summary: 'Add a navigation view.',
  since: 390,
  // A union with null instead of a nullable string, so that forms can send null.
  input: z.object({ fragment, is_pinned: boolean, name: z.optional(z.union([viewName, z.null()])) }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateNavigationView = endpoint({
  id: 'updateNavigationView',
  method: 'PATCH',
  path: '/navigation_views/:fragment',
  summary: "Update a navigation view's name or pin.",
  since: 390,
  input: z.object({ fragment, is_pinned: z.optional(boolean), name: z.optional(viewName) }),
  output: nothing,
  errors: ['BAD_REQUEST', 'NOT_FOUND'],
})

export const removeNavigationView = endpoint({
  id: 'removeNavigationView',
  method: 'DELETE',
  path: '/navigation_views/:fragment',
  summary: 'Remove a navigation view.',
  since: 390,
  input: z.object({ fragment }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    navigation_views: NavigationView[]
  }
}

function viewsIn(state: ClientState): NavigationView[] | undefined {
  return state['navigation_views']
}

export const navigationViewAdded = event({
  type: 'navigation_view',
  op: 'add',
  summary: 'The user added a navigation view.',
  payload: z.strictObject({ navigation_view: navigationView }),
  touches: ['navigation_views'],
  apply(state, { navigation_view }) {
    const views = viewsIn(state)
    if (views?.some((known) => known.fragment === navigation_view.fragment) === false) views.push(navigation_view)
  },
})

export const navigationViewUpdated = event({
  type: 'navigation_view',
  op: 'update',
  summary: 'The user updated a navigation view.',
  payload: z.strictObject({
    fragment: string,
    data: z.strictObject({ name: z.optional(string), is_pinned: z.optional(boolean) }),
  }),
  touches: ['navigation_views'],
  apply(state, { fragment: changed, data }) {
    const known = viewsIn(state)?.find((view) => view.fragment === changed)
    if (known !== undefined) Object.assign(known, data)
  },
})

export const navigationViewRemoved = event({
  type: 'navigation_view',
  op: 'remove',
  summary: 'The user removed a navigation view.',
  payload: z.strictObject({ fragment: string }),
  touches: ['navigation_views'],
  apply(state, { fragment: removed }) {
    const views = viewsIn(state)
    if (views !== undefined) state['navigation_views'] = views.filter((view) => view.fragment !== removed)
  },
})
