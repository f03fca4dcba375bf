import { go } from '../../platform/router.ts'
import { routeOfFragment } from '../places/fragments.ts'

/** Redirects legacy URLs, such as `/#narrow/channel/5-garden/topic/beans`, which occur in emails and other pages. */
export function followFragment(): void {
  const show = (): void => {
    const route = routeOfFragment(window.location.hash)
    if (route !== undefined) go(route, { replace: true })
  }
  show()
  window.addEventListener('hashchange', show)
}
