import { go } from '../../platform/router.ts'
import { routeOfFragment } from '../places/fragments.ts'

/** Shows what an older address means, such as `/#narrow/channel/5-garden/topic/beans`, which stands in mails and elsewhere. */
export function followFragment(): void {
  const show = (): void => {
    const route = routeOfFragment(window.location.hash)
    if (route !== undefined) go(route, { replace: true })
  }
  show()
  window.addEventListener('hashchange', show)
}
