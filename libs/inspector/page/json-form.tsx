import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  Choice,
  type FormProps,
  isComplete,
  type InnerProps,
  JsonText,
  NumberInput,
  TextInput,
} from './form-inputs.js';
import { emptyOf, type FormSchema, resolved, titleOf, typeOf } from './form-schema.js';
import { Field } from './parts.js';

/** Schemas may contain themselves. What lies deeper is written as JSON. */
const MAX_DEPTH = 6;

/** A form for the values of a JSON Schema, and the values as JSON beside it. */
export function JsonForm({ schema, value, onChange }: FormProps): JSX.Element {
  const [isText, setText] = useState(false);
  return (
    <div class="form">
      <button
        type="button"
        class="link"
        aria-pressed={isText}
        disabled={!isComplete(value)}
        onClick={() => setText(!isText)}
      >
        {isText ? 'Use the form' : 'Write JSON'}
      </button>
      {isText ? (
        <JsonText label="Arguments as JSON" value={value} onChange={onChange} />
      ) : (
        <ObjectFields root={schema} schema={schema} value={value} onChange={onChange} label="" isRequired depth={0} />
      )}
    </div>
  );
}

function Value(props: InnerProps): JSX.Element {
  const schema = resolved(props.schema, props.root);
  const inner = { ...props, schema };
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (props.depth > MAX_DEPTH) return <JsonText label={props.label} value={props.value} onChange={props.onChange} />;
  if (alternatives) return <Alternatives {...inner} alternatives={alternatives} />;
  if (schema.enum) return <Choice {...inner} options={schema.enum} />;
  if (schema.const !== undefined) return <Choice {...inner} options={[schema.const]} />;
  const type = typeOf(schema);
  if (type === 'object' && schema.properties)
    return (
      <fieldset>
        <legend>{titleOf(inner)}</legend>
        <Optional {...inner} empty={{}}>
          <ObjectFields {...inner} />
        </Optional>
      </fieldset>
    );
  if (type === 'array' && typeof schema.items === 'object') return <Items {...inner} items={schema.items} />;
  if (type === 'boolean') return <Choice {...inner} options={[true, false]} />;
  if (type === 'number' || type === 'integer') return <NumberInput {...inner} step={type === 'integer' ? 1 : 'any'} />;
  if (type === 'string') return <TextInput {...inner} />;
  return <JsonText label={titleOf(inner)} value={props.value} onChange={props.onChange} />;
}

function ObjectFields({ schema, root, value, onChange, depth }: InnerProps): JSX.Element {
  const { properties = {}, required = [] } = resolved(schema, root);
  const given = isRecord(value) ? value : {};
  const names = Object.keys(properties);
  if (names.length === 0) return <p class="hint">It takes no arguments.</p>;
  return (
    <>
      {names.map((name) => (
        <Value
          key={name}
          root={root}
          schema={properties[name]!}
          label={name}
          isRequired={required.includes(name)}
          depth={depth + 1}
          value={given[name]}
          onChange={(item) => onChange(withEntry(given, name, item))}
        />
      ))}
    </>
  );
}

/** Something that may be left out. */
function Optional({
  isRequired,
  value,
  onChange,
  empty,
  label,
  children,
}: InnerProps & { empty: unknown; children: JSX.Element }): JSX.Element {
  if (isRequired || value !== undefined) {
    return (
      <>
        {children}
        {!isRequired && (
          <button type="button" class="link" onClick={() => onChange(undefined)}>
            Leave out {label}
          </button>
        )}
      </>
    );
  }
  return (
    <button type="button" class="link" onClick={() => onChange(empty)}>
      Add {label}
    </button>
  );
}

function Items(props: InnerProps & { items: FormSchema }): JSX.Element {
  const { items, value, onChange, root, depth, label } = props;
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const change = (at: number, item: unknown): void => onChange(list.map((old, index) => (index === at ? item : old)));
  return (
    <fieldset>
      <legend>{titleOf(props)}</legend>
      {list.map((item, index) => (
        <div class="item" key={index}>
          <Value
            root={root}
            schema={items}
            label={`${label} ${index + 1}`}
            isRequired
            depth={depth + 1}
            value={item}
            onChange={(changed) => change(index, changed)}
          />
          <button type="button" class="link" onClick={() => onChange(list.filter((_item, at) => at !== index))}>
            Remove {label} {index + 1}
          </button>
        </div>
      ))}
      <button type="button" class="link" onClick={() => onChange([...list, emptyOf(resolved(items, root))])}>
        Add to {label}
      </button>
    </fieldset>
  );
}

function Alternatives(props: InnerProps & { alternatives: readonly FormSchema[] }): JSX.Element {
  const { alternatives, root } = props;
  const known = alternatives.map((one) => resolved(one, root));
  const constants = known.flatMap((one) => (one.const !== undefined ? [one.const] : (one.enum ?? [])));
  const [chosen, setChosen] = useState(0);
  if (constants.length > 0 && known.every((one) => one.const !== undefined || one.enum))
    return <Choice {...props} options={constants} />;
  return (
    <fieldset>
      <legend>{titleOf(props)}</legend>
      <Field label={`Kind of ${props.label}`}>
        {(id) => (
          <select
            id={id}
            value={chosen}
            onChange={({ currentTarget }) => {
              setChosen(Number(currentTarget.value));
              props.onChange(undefined);
            }}
          >
            {known.map((one, index) => (
              <option value={index} key={index}>
                {one.title ?? typeOf(one) ?? `kind ${index + 1}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Value {...props} schema={known[chosen]!} depth={props.depth + 1} />
    </fieldset>
  );
}

function withEntry(record: Readonly<Record<string, unknown>>, key: string, value: unknown): Record<string, unknown> {
  const { [key]: _old, ...others } = record;
  return value === undefined ? others : { ...others, [key]: value };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
