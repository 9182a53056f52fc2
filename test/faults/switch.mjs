/* What planted code calls to learn whether a fault is on. */

/**
 * @param active the fault that is on, if any
 * @param reach gets the number of each fault that code reaches, each time
 */
export function faultSwitch(active, reach) {
  let kept;

  /** @param operand of `await`, which `operand()` gives back at once */
  function fault(id, operand) {
    kept = operand;
    reach(id);
    return id === active;
  }

  fault.operand = () => {
    const operand = kept;
    kept = undefined;
    return operand;
  };

  fault.swapped = (id, [first, second]) => (fault(id) ? [second, first] : [first, second]);
  return fault;
}
