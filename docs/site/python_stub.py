"""The directive `python-stub`: classes and functions of a stub file, in the order of the file, as Python's domain shows them.

Importing the module instead would need the built library."""
import ast
import os
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles


def signature(function):
    arguments = ast.unparse(function.args)
    returns = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    return f"{function.name}({arguments}){returns}"


ARGUMENT = re.compile(r"^\s*([a-z_]\w*(?:, [a-z_]\w*)*): (.+)$")


def doc_lines(node, indent):
    """A docstring's text; lines "name: what" are a list, with what is written on below them."""
    lines, in_list = [], False
    for number, line in enumerate((ast.get_docstring(node) or "").splitlines()):
        argument = ARGUMENT.match(line) if number > 0 else None
        if argument:
            lines += [] if in_list else [""]
            lines.append(f"{indent}* **{escaped(argument[1])}**: {escaped(argument[2])}")
        elif line.strip() and in_list:
            lines[-1] += " " + escaped(line.strip())
        else:
            lines.append(indent + escaped(line.strip()) if line.strip() else "")
        in_list = argument is not None or (in_list and line.strip() != "")
    return lines


def escaped(line):
    """Docstrings are plain text: what reStructuredText would take for markup is not."""
    return re.sub(r"([\\*`|]|_(?=\W|$))", r"\\\1", line)


def function_lines(function, indent, kind):
    yield from ["", f"{indent}.. py:{kind}:: {signature(function)}", ""]
    yield from doc_lines(function, indent + "   ")


def is_property(function):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list)


def class_lines(cls):
    yield from ["", f".. py:class:: {cls.name}", ""]
    yield from doc_lines(cls, "   ")
    for member in cls.body:
        if isinstance(member, ast.AnnAssign):
            yield from ["", f"   .. py:attribute:: {member.target.id}", f"      :type: {ast.unparse(member.annotation)}", ""]
        elif isinstance(member, ast.FunctionDef) and is_property(member):
            kind = f"      :type: {ast.unparse(member.returns)}" if member.returns is not None else ""
            yield from ["", f"   .. py:property:: {member.name}", kind, ""]
            yield from doc_lines(member, "      ")
        elif isinstance(member, ast.FunctionDef) and (not member.name.startswith("_") or member.name == "__init__"):
            yield from function_lines(member, "   ", "method")


class PythonStub(Directive):
    required_arguments = 1

    def run(self):
        env = self.state.document.settings.env
        page = env.doc2path(env.docname)
        path = os.path.normpath(os.path.join(os.path.dirname(page), self.arguments[0]))
        env.note_dependency(path)
        with open(path, encoding="utf-8") as stub:
            tree = ast.parse(stub.read())
        lines = [".. py:module:: sherd", ""]
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                lines += class_lines(node)
            elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                lines += function_lines(node, "", "function")
        section = nodes.section()
        section.document = self.state.document
        nested_parse_with_titles(self.state, StringList(lines, source=path), section)
        return section.children


def setup(app):
    app.add_directive("python-stub", PythonStub)
    return {"parallel_read_safe": True}
