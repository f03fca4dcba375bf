import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'

/**
 * Runs code from a chunk that loads on first use. Loading can fail offline.
 * @param otherwise called if loading fails; by default, shows a toast
 */
export async function withPart<Part>(
  loading: Promise<Part>,
  run: (part: Part) => void,
  otherwise: () => void = () => toast(t().errors.network),
): Promise<void> {
  let part: Part
  try {
    part = await loading
  } catch {
    otherwise()
    return
  }
  run(part)
}
