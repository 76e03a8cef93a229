"""Each tag and filter that is rendered locally, compared with the service."""

from __future__ import annotations

import unittest
from typing import Any

from . import support
from .test_rendering import render_locally

VARIABLES: dict[str, Any] = {
    "name": "Ada",
    "blank_name": "  Zoë\u00a0",
    "nothing": "",
    "none": None,
    # A variable that does not exist is an error. `user.missing` is undefined.
    "missing": None,
    "yes": True,
    "no": False,
    "count": 3,
    "price": 1234.5,
    "items": ["pen", "book", "pen"],
    "numbers": [3, 1, 2.5, 10],
    "people": [{"name": "Ada", "age": 36}, {"name": "Bob"}],
    "user": {"name": "Ada", "tags": ["a", "b"], "size": 7, "first": "f", "deep": {"list": [[1, 2], ["x"]]}},
    "text": "one two  three\r\nfour <b> & 'five' \"six\"",
    "emoji": "a😀b",
    "mixed": [1, "a", None, True, 2.50, [1, [2]]],
    "key": "name",
}

LOCAL = [
    # Outputs
    "{{ name }}", "{{name}}", "{{- name -}} x {{ name -}} ", "{{ user.name }} {{ user['name'] }} {{ user[key] }}",
    "{{ user.deep.list[0][1] }} {{ items[-1] }} {{ items[9] }}", "{{ user.missing.more }}|{{ none }}|{{ none.x }}",
    "{{ items.size }} {{ items.first }} {{ items.last }} {{ items.length }} {{ user.size }} {{ user.first }} {{ name.size }}",
    "{{ user.tags.size }} {{ people.size }} {{ emoji.size }} {{ user.deep.size }}", "{{ items }}", "{{ mixed }}", "{{ people }}",
    "{{ user }}", "{{ yes }} {{ no }} {{ count }} {{ price }}", "{{ 'a' }} {{ \"b\" }} {{ 1 }} {{ -2.50 }} {{ true }}",
    "{{ name == 'Ada' }} {{ count > 2 and no }}", "\u00a0{{- name -}}\ufeff\u180e x", "{{ missing }}",
    # Conditions
    "{% if name %}a{% endif %}", "{% if nothing %}a{% else %}b{% endif %}", "{% if none %}a{% elsif no %}b{% elsif yes %}c{% else %}d{% endif %}",
    "{% unless no %}a{% else %}b{% endunless %}", "{% unless yes %}a{% elsif name %}b{% endunless %}",
    "{% if count == 3 and name != 'Bob' or no %}a{% endif %}", "{% if yes or no and no %}a{% endif %}", "{% if no and no or yes %}a{% else %}b{% endif %}",
    "{% if name == nil %}a{% endif %}{% if none == nil %}b{% endif %}{% if missing == null %}c{% endif %}{% if missing == none %}d{% endif %}",
    "{% if nothing == empty %}a{% endif %}{% if items != empty %}b{% endif %}{% if blank_name == blank %}c{% endif %}{% if no == blank %}d{% endif %}",
    "{% if items contains 'pen' %}a{% endif %}{% if name contains 'd' %}b{% endif %}{% if text contains 5 %}c{% endif %}{% if count contains 3 %}d{% endif %}",
    "{% if numbers contains 2.5 %}a{% endif %}{% if name < 'Bob' %}b{% endif %}{% if count >= 3 %}c{% endif %}{% if none < 1 %}d{% endif %}{% if user.missing < 1 %}e{% endif %}",
    "{% if yes == true %}a{% endif %}{% if count == yes %}b{% endif %}{% if 1 == 1.0 %}c{% endif %}{% if '1' == 1 %}d{% endif %}",
    "{%- if name -%} a {%- endif -%} b", "{% if items == user.tags %}a{% else %}b{% endif %}",
    "{% case name %}{% when 'Bob', 'Ada' %}a{% when 'Ada' %}b{% else %}c{% endcase %}",
    "{% case count %} {% when 1 or 3 %}a{% endcase %}", "{% case none %}{% when nil %}a{% else %}b{% endcase %}", "{% case name %}{% when 'x' %}a{% else %}b{% endcase %}",
    # Loops
    "{% for item in items %}{{ forloop.index }}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.rindex0 }}{{ forloop.length }}{{ forloop.first }}{{ forloop.last }}{{ item }}{% endfor %}",
    "{% for p in people %}{{ p.name }}{{ p.age }};{% endfor %}", "{% for x in missing %}a{% else %}none{% endfor %}", "{% for x in nothing %}a{% else %}none{% endfor %}",
    "{% for x in name %}[{{ x }}]{% endfor %}", "{% for pair in user.deep %}{{ pair[0] }}={{ pair[1] }}{% endfor %}", "{% for x in count %}a{% else %}b{% endfor %}",
    "{% for i in (1..3) %}{{ i }}{% endfor %}{% for i in (1..count) %}{{ i }}{% endfor %}{% for i in (3..1) %}x{% else %}y{% endfor %}",
    "{% for x in items limit: 1 %}{{ x }}{% endfor %}{% for x in items offset: 1 %}{{ x }}{% endfor %}{% for x in items reversed %}{{ x }}{% endfor %}",
    "{% for x in numbers reversed limit: 2 offset: 1 %}{{ x }},{% endfor %}", "{% for x in numbers limit: count %}{{ x }},{% endfor %}",
    "{% for x in numbers %}{% if x == 2.5 %}{% break %}{% endif %}{{ x }}{% endfor %}.", "{% for x in numbers %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}.",
    "{% for x in items %}{% for y in numbers %}{{ x }}{{ y }}{% break %}{% endfor %}{{ forloop.index }}{% endfor %}", "{% for x in numbers offset: 9 %}a{% else %}b{% endfor %}",
    # Variables
    "{% assign a = name | upcase %}{{ a }}", "{% assign name = 'x' %}{{ name }}", "{% for x in items %}{% assign last_item = x %}{% endfor %}{{ last_item }}",
    "{% assign x = 1 %}{% for x in items %}{{ x }}{% endfor %}{{ x }}", "{% capture c %} {{ name }}! {% endcapture %}{{ c | strip }}", "{% assign p = people[1] %}{{ p.name }}",
    "{% assign words = 'a,b' | split: ',' %}{% for w in words %}<{{ w }}>{% endfor %}",
    # Comments
    "a{% comment %} {{ name }} {% if %} {% endcomment %}b", "a {%- # note -%} b", "{% raw %}{{ name }} {% if {% endraw %}", " {%- raw %} {{ x }} {% endraw -%} b",
    # Filters
    "{{ missing | default: 'x' }}{{ nothing | default: 'y' }}{{ no | default: 'z' }}{{ count | default: 1 }}{{ missing | default: name }}",
    "{{ name | upcase }}{{ name | downcase }}{{ 'hELLO wORLD' | capitalize }}", "{{ name | append: '!' | prepend: count }}", "[{{ blank_name | strip }}][{{ blank_name | lstrip }}][{{ blank_name | rstrip }}]",
    "{{ text | strip_newlines }}{{ text | newline_to_br }}{{ text | escape }}{{ text | url_encode }}", "{{ text | replace: 'o', '0' }}{{ text | replace_first: 'o', '0' }}{{ text | remove: 'o' }}{{ text | remove_first: 'o' }}",
    "{{ text | replace: 'one' }}", "{{ 'a,b,,' | split: ',' | join: '+' }}{{ name | split: '' | join: '-' }}{{ items | join }}{{ mixed.first | join: ',' }}",
    "{{ items | first }}{{ items | last }}{{ name | first }}{{ name | last }}{{ nothing | first }}{{ missing | last }}", "{{ items | size }}{{ name | size }}{{ emoji | size }}{{ count | size }}{{ missing | size }}",
    "{{ count | plus: 2 }} {{ count | minus: 0.1 }} {{ count | times: 1.1 }} {{ count | divided_by: 2 }} {{ -7 | modulo: 3 }} {{ 7.5 | modulo: 2 }} {{ '2.5' | plus: '1' }} {{ none | plus: 1 }} {{ yes | plus: 1 }}",
    "{{ price | round }} {{ 2.5 | round }} {{ -2.5 | round }} {{ 1.005 | round: 2 }} {{ price | floor }} {{ price | ceil }} {{ -1.5 | abs }} {{ count | at_least: 5 }} {{ count | at_most: 2.5 }} {{ 1234 | round: -2 }}",
    "{{ 1 | divided_by: 3 }} {{ 10 | divided_by: 4 | times: 1000000000 }} {{ 0.1 | plus: 0.2 }} {{ 1 | divided_by: 10000000 }}",
    "{{ text | truncate: 10 }}|{{ text | truncate: 10, '' }}|{{ emoji | truncate: 2, '' }}|{{ name | truncate }}|{{ text | truncate: 2 }}", "{{ text | truncatewords: 2 }}|{{ text | truncatewords: 9 }}|{{ text | truncatewords: 0, '--' }}",
    "{{ text | truncate: 9, user.missing }}|{{ text | truncate: 9, none }}|{{ text | truncatewords: 2, user.missing }}|{{ text | truncatewords: 2, none }}",
    "{{ items | join: user.missing }}|{{ items | join: none }}|{{ price | round: user.missing }}|{{ text | replace: 'o', user.missing }}|{{ name | append: user.missing }}|{{ items | concat: user.missing }}",
    "{{ name | default: user.missing }}|{{ user.missing | default: user.missing }}|{{ text | split: user.missing | size }}|{{ text | split: none | size }}",
    "{{ name | slice: 1 }}{{ name | slice: -2, 2 }}{{ name | slice: 9 }}{{ items | slice: 1, 2 }}{{ emoji | slice: 1, 2 }}{{ user.missing | slice: 0 }}{{ none | slice: 0 }}", "{{ items | reverse }}{{ items | sort }}{{ numbers | sort | join: ' ' }}{{ items | uniq }}",
    "{{ people | map: 'name' | join: ', ' }}{{ people | map: 'age' }}", "{{ mixed | compact | size }}{{ items | concat: numbers | join: ',' }}", "{{ user | json }}{{ name | json }}{{ mixed | json }}{{ missing | json }}{{ price | json }}",
]

NOT_LOCAL = [
    "{{ 'now' | date: '%Y' }}", "{{ name | md5 }}", "{{ people | where: 'name', 'Ada' }}", "{% cycle 'a' %}", "{% liquid assign a = 1 %}", "{% increment n %}",
    "{% tablerow x in items %}{% endtablerow %}", "{{ name | upcase: 1 }}", "{{ nil }}", "{{ 'a\\n' }}", "{{ count | divided_by: 0 }}", "{{ user | upcase }}", "{{ 'Ж' | upcase }}",
    "{{ emoji | split: '' }}", "{% if name > 1 %}{% endif %}", "{{ name[0] }}", "{{ forloop }}", "{{ size }}", "{{ a-b }}", "{{ name", "{% if %}", "{{ name | default: 'x', allow_false: true }}",
]


class TagsAndFiltersTest(unittest.TestCase):
    def setUp(self) -> None:
        self.ph = support.create_account()

    def test_are_rendered_as_the_service_renders_them(self) -> None:
        messages = [{"role": "user", "content": each} for each in LOCAL]
        for index in range(0, len(messages), 40):
            self.ph.prompts.create(name=f"cases/{index}", messages=messages[index : index + 40])
            response = self.ph.prompts.render(f"cases/{index}", variables=VARIABLES)
            for template, message in zip(LOCAL[index : index + 40], response["messages"]):
                with self.subTest(template):
                    self.assertEqual(render_locally(template, VARIABLES), message["content"])

    def test_undefined_differs_from_null(self) -> None:
        self.ph.prompts.create(name="undefined", template="{% if a.x == b %}same{% else %}different{% endif %}{% if a.x == nil %} nil{% endif %}")
        variables = {"a": {}, "b": None}
        expected = self.ph.prompts.render("undefined", variables=variables)["text"]
        self.assertEqual(expected, "different nil")
        self.assertEqual(render_locally("{% if a.x == b %}same{% else %}different{% endif %}{% if a.x == nil %} nil{% endif %}", variables), expected)

    def test_unusual_templates_are_left_to_the_service(self) -> None:
        for template in NOT_LOCAL:
            with self.subTest(template):
                self.assertIsNone(render_locally(template, VARIABLES))

    def test_unusual_variables_are_left_to_the_service(self) -> None:
        for value in ({"__proto__": 1}, {"1": "a"}, "\ud800", 2**60, {"constructor": {}}):
            with self.subTest(value):
                self.assertIsNone(render_locally("{{ x }}", {"x": value}))

    def test_changes_the_case_of_latin_letters_as_the_service_does(self) -> None:
        letters = " ".join(chr(code) for code in range(0xA0, 0x180))
        template = "{{ x | upcase }}{{ x | downcase }}{{ x | capitalize }}"
        self.ph.prompts.create(name="letters", template=template)
        expected = self.ph.prompts.render("letters", variables={"x": letters})["text"]
        self.assertEqual(render_locally(template, {"x": letters}), expected)

    def test_writes_numbers_as_the_service_does(self) -> None:
        numbers: list[float] = [0.0, -0.0, 5.0, 1e21, 1e-7, 1.5e-6, 123456789012345680000.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, -1e-10, 1e20, 4.35, 9007199254740991, 100, 1e16]
        numbers += [float(f"{digits}e{power}") for digits in ("1", "1.25", "-9.999") for power in range(-12, 25)]
        self.ph.prompts.create(name="numbers", template="{{ x }}|{{ y }}")
        expected = self.ph.prompts.render("numbers", variables={"x": numbers, "y": {"all": numbers}})["text"]
        self.assertEqual(render_locally("{{ x }}|{{ y }}", {"x": numbers, "y": {"all": numbers}}), expected)
        self.ph.prompts.create(name="joined", template="{{ x | join: ' ' }}")
        joined = self.ph.prompts.render("joined", variables={"x": numbers})["text"]
        self.assertEqual(render_locally("{{ x | join: ' ' }}", {"x": numbers}), joined)


if __name__ == "__main__":
    unittest.main()
